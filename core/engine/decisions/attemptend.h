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
    bool wasMeasured = false;                     ///< of a probe: it ran as long as it was to be measured
    std::vector<sweep::AttemptRecord> earlier{};  ///< of the trial; needed if kinds of failure are counted separately
    bool madeProgress = true;    ///< it has reported something beyond what earlier attempts of its trial did
    bool mayRerunAlone = false;  ///< it shared a GPU, and its trial has not been given one alone for that reason yet
};

/// What happens to its trial, and when it may start again.
struct AttemptEndDecision {
    TrialChange change;
    std::optional<WallNs> notBefore;       ///< of this trial's retry
    std::optional<WallNs> sweepNotBefore;  ///< of any trial: the obstacle to the start may persist
};
AttemptEndDecision endAttempt(const SweepView &view, const RetryPolicy &policy, const EndedAttempt &attempt,
                              WallNs now);

/// Counts the trial's earlier attempts whose failure counts together with `failure`. `row.failures` includes the last
/// attempt, and is reset to 0 by a manual retry.
int failuresLike(const TrialRow &row, const RetryPolicy &policy, const std::string &failure,
                 const std::vector<sweep::AttemptRecord> &earlier);

}  // namespace sweepscope::engine
