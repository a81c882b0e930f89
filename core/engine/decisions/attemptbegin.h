#pragma once

#include "engine/decisions/decision.h"

#include <string>
#include <vector>

namespace sweepscope::engine {

/// The next attempt of a queued trial.
struct BegunAttempt {
    int number = 1;
    std::vector<std::string> devices;
    bool simulated = false;  ///< TrialRecord::simulated
    WallNs created = 0;
};

/// Returns the trial's new row.
TrialChange beginAttempt(const TrialRow &row, const BegunAttempt &attempt);

}  // namespace sweepscope::engine
