#pragma once

#include "engine/attemptverdict.h"
#include "engine/decisions/decision.h"
#include "pruning/prunelog.h"
#include "sweep/trialhistory.h"

#include <vector>

namespace sweepscope::engine {

/// What SweepRun writes and reads. Each function is one transaction: without an error its rows outlive the engine, with
/// an error nothing has changed. Store is the database; the simulator injects faults.
class SweepStore {
public:
    virtual ~SweepStore() = default;

    /// Writes the rows of a decision about this sweep.
    virtual Expected<void> commit(const sweep::SweepRecord &sweep, const Decision &decision, WallNs time) = 0;
    /// Records the intent to start an attempt.
    virtual Expected<void> beginAttempt(const TrialChange &change, const AttemptRow &attempt) = 0;
    /// Records that the attempt's agent runs.
    virtual Expected<void> noteAgent(const AttemptRow &attempt) = 0;
    /// Records the end of the attempt and the change of its trial.
    virtual Expected<void> endAttempt(const TrialChange &change, const AttemptRow &attempt,
                                      const AttemptEnding &ending) = 0;
    virtual Expected<void> appendToPruneLog(std::int64_t sweepId, const std::vector<pruning::LogEntry> &entries) = 0;
    /// Writes objective, step and progress of running trials: no transition.
    virtual Expected<void> updateProgress(const std::vector<const TrialRow *> &trials) = 0;

    virtual Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial) = 0;
    virtual Expected<std::vector<pruning::LogEntry>> pruneLog(std::int64_t sweepId) = 0;
    /// Trials as they were after each change of the state of one, in the order in which it happened: number, state, reason
    /// and objective alone.
    virtual Expected<std::vector<sweep::TrialRecord>> changes(std::int64_t sweepId) = 0;
    /// In chronological order. Trial 0: of the sweep and all its trials.
    virtual Expected<std::vector<sweep::HistoryEntry>> history(std::int64_t sweepId, int trial) = 0;
};

}  // namespace sweepscope::engine
