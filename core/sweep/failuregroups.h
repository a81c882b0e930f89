#pragma once

#include "facts/fact.h"
#include "sweep/records.h"

#include <vector>

namespace sweepscope::sweep {

/// Trials that failed, or were lost, for the same reason.
struct FailureGroup {
    facts::Fact
        cause;  ///< of the first of them: its first failed rank if there is one, without retries and machines. Without Rank
                ///< if that differs
    std::vector<int> trials;  ///< ascending
};

/// Groups the trials that failed or were lost by their cause; the largest group first. Ranks and numbers in messages do not
/// matter: "index 5 is out of bounds" and "index 9 is out of bounds" at the same line are one cause.
std::vector<FailureGroup> failureGroups(const std::vector<TrialRecord> &trials);

}  // namespace sweepscope::sweep
