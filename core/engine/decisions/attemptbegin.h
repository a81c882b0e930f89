#pragma once

#include "engine/decisions/decision.h"

#include <string>
#include <vector>

namespace sweepscope::engine {

/// The attempt that a queued trial gets.
struct BegunAttempt {
    int number = 1;
    std::vector<std::string> devices;
    bool simulated = false;  ///< TrialRecord::simulated
    WallNs created = 0;
};

/// The trial's row from then on.
TrialChange beginAttempt(const TrialRow &row, const BegunAttempt &attempt);

}  // namespace sweepscope::engine
