#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <vector>

namespace sweepscope::sweep {

/// run.settings and [space] against the settings of the built-in worker.
void checkBuiltinSettings(const SweepSpec &spec, std::vector<Problem> &problems);

/// The parameters `ranks` and `seed`, whatever the worker.
void checkReservedParameters(const SweepSpec &spec, std::vector<Problem> &problems);

}  // namespace sweepscope::sweep
