#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <vector>

namespace sweepscope::sweep {

/// What is wrong with the spec itself, whatever machine it will run on. Empty = fine.
std::vector<Problem> validate(const SweepSpec &spec);

}  // namespace sweepscope::sweep
