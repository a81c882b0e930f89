#pragma once

#include "engine/database.h"
#include "engine/pruner.h"
#include "engine/sweepstore.h"
#include "engine/trialrow.h"
#include "sweep/trialplan.h"

#include <functional>
#include <span>
#include <vector>

namespace sweepscope::engine {

/// "0003-digits-mlp": the number, and of the name what is harmless in any file system.
std::string sweepFolderName(std::int64_t id, const std::string &name);

/// Writes what happens, each function one transaction: after it returns without error it is on disk, before nothing is.
class Store : public SweepStore {
public:
    explicit Store(Database &database) : m_database(database) {}

    /// For a StoreReader, to read what was written.
    Database &database() const { return m_database; }

    /// A new sweep with all its trials queued. `sweep` gets its id, folder ("0003-name") and number of trials.
    /// `beforeCommit` makes the folder: if that fails, there is no sweep. The id is larger than `above`. Returns the trials
    /// as they were stored.
    Expected<std::vector<TrialRow>>
    insertSweep(sweep::SweepRecord &sweep, const std::vector<sweep::TrialPlan> &plans,
                const std::function<Expected<void>(const sweep::SweepRecord &)> &beforeCommit, std::int64_t above = 0);
    Expected<void> changeSweep(const SweepChange &change, sweep::SweepState before, WallNs time);

    /// The rows of a decision about this sweep, all or none.
    Expected<void> commit(const sweep::SweepRecord &sweep, const Decision &decision, WallNs time) override;

    /// The sweep and all that is known of it. `beforeCommit` takes its folder away: if that fails, nothing is deleted.
    Expected<void> deleteSweep(std::int64_t sweepId, const std::function<Expected<void>()> &beforeCommit);

    /// The intent to start an attempt: the trial's row as it is from now on, and the attempt.
    Expected<void> beginAttempt(const TrialChange &change, const AttemptRow &attempt) override;
    /// Its agent runs.
    Expected<void> noteAgent(const AttemptRow &attempt) override;
    /// The attempt is over, in the same transaction as the trial's change.
    Expected<void> endAttempt(const TrialChange &change, const AttemptRow &attempt,
                              const AttemptEnding &ending) override;

    Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial) override;
    Expected<std::vector<TrialRung>> rungs(std::int64_t sweepId) override;
    Expected<void> noteRungs(std::int64_t sweepId, int trial, const std::vector<RungValue> &reached) override;
    Expected<void> forgetRungs(std::int64_t sweepId, int trial) override;
    /// Objective, step and progress of running trials: no transition.
    Expected<void> updateProgress(const std::vector<const TrialRow *> &trials) override;

private:
    Expected<void> writeTrial(const TrialRow &trial);
    Expected<void> writeChange(const TrialChange &change, WallNs time);
    Expected<void> writeHistory(std::int64_t sweepId, int trial, const std::string &before, const std::string &after,
                                const facts::Fact &reason, WallNs time);
    Expected<void> writeTransitions(const TrialRow &trial, std::span<const Transition> transitions, WallNs time);
    Expected<void> insertTrials(std::int64_t sweepId, const std::vector<TrialRow> &rows);
    Expected<void> discardTrials(std::int64_t sweepId, int from);
    Expected<void> keepDefinition(std::int64_t sweepId, const DefinitionChange &definition, WallNs time);
    Expected<void> stopQueuedTrials(std::int64_t sweepId, const facts::Fact &reason, WallNs time);
    /// Prepares, binds, executes.
    template <typename... Values>
    Expected<void> run(const char *sql, const Values &...values);

    Database &m_database;
};

}  // namespace sweepscope::engine
