#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <vector>

namespace sweepscope::sweep {

/// What is wrong with [run.metrics], if it is there.
void checkMetrics(const SweepSpec &spec, std::vector<Problem> &problems);

}  // namespace sweepscope::sweep
