#pragma once

#include "sweep/records.h"

#include <span>
#include <vector>

namespace sweepscope::sweep {

/// Numbers of the best trials (mayBeBest), at most `count`, the best first. Of equal ones, the first trials.
std::vector<int> bestTrials(std::span<const TrialRecord> trials, Goal goal, int count);

}  // namespace sweepscope::sweep
