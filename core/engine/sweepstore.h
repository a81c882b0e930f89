#pragma once

#include "engine/attemptverdict.h"
#include "engine/decisions/decision.h"
#include "engine/pruner.h"
#include "sweep/trialhistory.h"

#include <vector>

namespace sweepscope::engine {

/// Where a trial was at a rung.
struct TrialRung {
    int trial = 0;
    RungValue value;
};

/// What SweepRun writes and reads. Each function is one transaction: without an error its rows outlive the engine, with
/// one nothing has changed. Store is the database; the simulator adds faults.
class SweepStore {
public:
    virtual ~SweepStore() = default;

    /// The rows of a decision about this sweep.
    virtual Expected<void> commit(const sweep::SweepRecord &sweep, const Decision &decision, WallNs time) = 0;
    /// The intent to start an attempt.
    virtual Expected<void> beginAttempt(const TrialChange &change, const AttemptRow &attempt) = 0;
    /// Its agent runs.
    virtual Expected<void> noteAgent(const AttemptRow &attempt) = 0;
    /// The attempt is over, and what becomes of its trial.
    virtual Expected<void> endAttempt(const TrialChange &change, const AttemptRow &attempt,
                                      const AttemptEnding &ending) = 0;
    /// Where a trial was at rungs; an attempt that it continues may have been there too.
    virtual Expected<void> noteRungs(std::int64_t sweepId, int trial, const std::vector<RungValue> &reached) = 0;
    /// It starts from scratch.
    virtual Expected<void> forgetRungs(std::int64_t sweepId, int trial) = 0;
    /// Objective, step and progress of running trials: no transition.
    virtual Expected<void> updateProgress(const std::vector<const TrialRow *> &trials) = 0;

    virtual Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial) = 0;
    virtual Expected<std::vector<TrialRung>> rungs(std::int64_t sweepId) = 0;
};

}  // namespace sweepscope::engine
