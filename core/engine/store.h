#pragma once

#include "engine/database.h"
#include "engine/pruner.h"
#include "engine/trialrow.h"
#include "sweep/trialplan.h"

#include <functional>
#include <span>
#include <vector>

namespace sweepscope::engine {

/// One change of a trial's state, for the history.
struct Transition {
    sweep::TrialState before;
    sweep::TrialState after;
    std::string cause;
};

/// A trial's row as it is from now on, and how it got there.
struct TrialChange {
    TrialRow row;
    std::vector<Transition> transitions;
};

/// A trial that waits for its first attempt.
TrialRow waitingTrial(sweep::TrialPlan plan, const std::string &cause);

/// How an attempt ended.
struct AttemptEnding {
    std::string outcome;
    std::string failure;  ///< launch::FailureKind in words; empty when it did not fail
    std::string cause;
    WallNs time = 0;
};

/// Writes what happens, each function one transaction: after it returns without error it is on disk, before nothing is.
class Store {
public:
    explicit Store(Database &database) : m_database(database) {}

    /// For a StoreReader, to read what was written.
    Database &database() const { return m_database; }

    /// A new sweep with all its trials waiting. `sweep` gets its id, folder ("0003-name") and number of trials.
    /// `beforeCommit` makes the folder: if that fails, there is no sweep.
    Expected<void> insertSweep(sweep::SweepRecord &sweep, const std::vector<sweep::TrialPlan> &plans,
                               const std::string &waitingCause,
                               const std::function<Expected<void>(const sweep::SweepRecord &)> &beforeCommit);
    Expected<void> changeSweepState(const sweep::SweepRecord &sweep, sweep::SweepState before, const std::string &cause,
                                    WallNs time);

    /// The sweep and all that is known of it. `beforeCommit` takes its folder away: if that fails, nothing is deleted.
    Expected<void> deleteSweep(std::int64_t sweepId, const std::function<Expected<void>()> &beforeCommit);

    /// What an edit changes, all at once. `before` (may be empty) is kept as the definition that an undo goes back to;
    /// an undo itself forgets it.
    struct Edit {
        sweep::SweepRecord sweep;  ///< as it is from now on
        sweep::SweepState stateBefore = sweep::SweepState::Running;
        std::string cause;
        std::vector<TrialChange> changes;
        std::vector<TrialRow> added;  ///< waiting
        std::string definitionBefore;
        bool isUndo = false;
    };
    Expected<void> editSweep(const Edit &edit, WallNs time);

    /// The intent to start an attempt: the trial's row as it is from now on, and the attempt.
    Expected<void> beginAttempt(const TrialRow &trial, const Transition &transition, const AttemptRow &attempt);
    /// Its agent runs.
    Expected<void> noteAgent(const AttemptRow &attempt);
    Expected<void> changeTrials(std::span<const TrialChange> changes, WallNs time);
    /// What a person wrote beside these trials, and nothing else of them.
    Expected<void> markTrials(std::span<const TrialChange> changes, WallNs time);
    /// The attempt is over, in the same transaction as the trial's change.
    Expected<void> endAttempt(const TrialChange &change, const AttemptRow &attempt, const AttemptEnding &ending);
    /// Where a trial was at rungs; an attempt before may have been there too.
    Expected<void> noteRungs(std::int64_t sweepId, int trial, const std::vector<RungValue> &reached);
    /// Every waiting trial of the sweep becomes stopped.
    Expected<void> stopWaitingTrials(std::int64_t sweepId, const std::string &cause, WallNs time);
    /// Objective, step and progress of running trials: no transition.
    Expected<void> updateProgress(const std::vector<const TrialRow *> &trials);

private:
    Expected<void> writeTrial(const TrialRow &trial);
    Expected<void> writeChange(const TrialChange &change, WallNs time);
    Expected<void> writeHistory(std::int64_t sweepId, int trial, const std::string &before, const std::string &after,
                                const std::string &cause, WallNs time);
    Expected<void> writeTransitions(const TrialRow &trial, std::span<const Transition> transitions, WallNs time);
    Expected<void> insertTrials(std::int64_t sweepId, const std::vector<TrialRow> &rows);
    Expected<void> keepDefinition(const Edit &edit, WallNs time);
    /// Prepares, binds, executes.
    template <typename... Values>
    Expected<void> run(const char *sql, const Values &...values);

    Database &m_database;
};

}  // namespace sweepscope::engine
