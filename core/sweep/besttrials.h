#pragma once

#include "sweep/records.h"

#include <span>
#include <vector>

namespace sweepscope::sweep {

/// Numbers of the best trials (mayBeBest), at most `count`, the best first. Of equal ones, the first trials.
std::vector<int> bestTrials(std::span<const TrialRecord> trials, Goal goal, int count);

/// Numbers of the trials whose checkpoints may be removed: they have ended, are not among the best `keepBest`, have no star,
/// and no other trial continues them. `trials`: all of the sweep.
std::vector<int> trialsWithRemovableCheckpoint(std::span<const TrialRecord> trials, Goal goal, int keepBest);

}  // namespace sweepscope::sweep
