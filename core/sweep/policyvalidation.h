#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <vector>

namespace sweepscope::sweep {

void checkPolicy(const AttemptPolicy &policy, std::vector<Problem> &problems);

}  // namespace sweepscope::sweep
