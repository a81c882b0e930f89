#pragma once

#include "engine/attemptverdict.h"
#include "engine/decisions/decision.h"
#include "engine/retrypolicy.h"
#include "sweep/trialhistory.h"

#include <optional>
#include <vector>

namespace sweepscope::engine {

/// An attempt that has ended.
struct EndedAttempt {
    int trial = 0;
    int number = 1;
    AttemptVerdict verdict;
    bool wasMeasured = false;                     ///< of a probe: it ran for as long as it was to be measured
    std::vector<sweep::AttemptRecord> earlier{};  ///< of the trial; needed where kinds of failure are counted apart
};

/// What becomes of its trial, and when it may start again.
struct AttemptEndDecision {
    TrialChange change;
    std::optional<WallNs> notBefore;       ///< of this trial's retry
    std::optional<WallNs> sweepNotBefore;  ///< of any trial: what prevented the start may still be there
};
AttemptEndDecision endAttempt(const SweepView &view, const RetryPolicy &policy, const EndedAttempt &attempt,
                              WallNs now);

/// How many of the trial's earlier attempts failed in a way that counts together with `failure`. `row.failures` includes
/// the last attempt, and is 0 again after a person's retry.
int failuresLike(const TrialRow &row, const RetryPolicy &policy, const std::string &failure,
                 const std::vector<sweep::AttemptRecord> &earlier);

}  // namespace sweepscope::engine
