#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::sweep {

/// What is wrong with the spec itself, whatever machine it will run on. Empty = fine.
std::vector<Problem> validate(const SweepSpec &spec);

/// What is wrong with the name of a sweep, to follow "the name"; empty = fine.
std::string nameProblem(const std::string &name);

}  // namespace sweepscope::sweep
