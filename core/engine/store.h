#pragma once

#include "engine/database.h"
#include "engine/sweepstore.h"
#include "engine/trialrow.h"
#include "search/warmstart.h"
#include "sweep/trialplan.h"

#include <functional>
#include <span>
#include <vector>

namespace sweepscope::engine {

/// Returns "0003-digits-mlp": the number, and the characters of the name that are safe in any file system.
std::string sweepFolderName(std::int64_t id, const std::string &name);

/// A sweep on its way into the database.
struct NewSweep {
    sweep::SweepRecord record;            ///< gets its id, folder ("0003-name") and number of trials
    std::vector<sweep::TrialPlan> plans;  ///< emptied one by one
    std::vector<TrialRow> trials;         ///< queued; those that were written
    std::vector<search::ResultsFile> warmStart{};
    /// Adds files to the folder of the sweep before it is committed.
    std::function<Expected<void>(const sweep::SweepRecord &)> addFiles{};
};

/// A trial of a new sweep that has the results of another sweep's trial.
struct CopiedTrial {
    TrialRow row;  ///< as it is in the new sweep
    std::int64_t fromSweep = 0;
    int fromTrial = 0;
};

/// Writes changes. Each function is one transaction: when it returns without error, the change is on disk; otherwise
/// nothing is.
class Store : public SweepStore {
public:
    explicit Store(Database &database) : m_database(database) {}

    /// For a StoreReader on the same connection.
    Database &database() const { return m_database; }

    /// Adds a sweep with all its trials queued. `sweep` gets its id, folder ("0003-name") and number of trials.
    /// `beforeCommit` creates the folder; if it fails, no sweep is added. The id is larger than `above`. Returns the
    /// trials as stored.
    Expected<std::vector<TrialRow>>
    insertSweep(sweep::SweepRecord &sweep, const std::vector<sweep::TrialPlan> &plans,
                const std::function<Expected<void>(const sweep::SweepRecord &)> &beforeCommit, std::int64_t above = 0);
    /// The same in several transactions of at most `most` trials each. Returns true after the last one. Until then the sweep
    /// has no folder and no reader sees it. `above` is used by the first one, `beforeCommit` is called in the last one.
    Expected<bool> insertPart(NewSweep &sweep, std::size_t most,
                              const std::function<Expected<void>(const sweep::SweepRecord &)> &beforeCommit,
                              std::int64_t above);
    /// Removes sweeps whose last part was not written.
    Expected<void> removeUnfinished();
    /// Gives the new sweep and its trials, still queued, the results of trials of other sweeps: rows, attempts and history.
    /// Call it within the transaction that inserts them (NewSweep::addFiles). `sweep`: as it is afterwards. `schema`: of the
    /// database that has the other sweeps.
    Expected<void> copyResults(const sweep::SweepRecord &sweep, std::span<const CopiedTrial> trials,
                               const std::string &schema = "main");
    Expected<void> changeSweep(const SweepChange &change, sweep::SweepState before, WallNs time);

    /// Writes the rows of a decision about this sweep, all or none.
    Expected<void> commit(const sweep::SweepRecord &sweep, const Decision &decision, WallNs time) override;

    /// Deletes the sweep and everything that belongs to it. `beforeCommit` moves its folder away; if it fails, nothing
    /// is deleted.
    Expected<void> deleteSweep(std::int64_t sweepId, const std::function<Expected<void>()> &beforeCommit);

    /// Records the intent to start an attempt: the attempt and the trial's new row.
    Expected<void> beginAttempt(const TrialChange &change, const AttemptRow &attempt) override;
    /// Records that the attempt's agent runs.
    Expected<void> noteAgent(const AttemptRow &attempt) override;
    /// Records the end of the attempt, in the same transaction as the trial's change.
    Expected<void> endAttempt(const TrialChange &change, const AttemptRow &attempt,
                              const AttemptEnding &ending) override;

    Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial) override;
    Expected<std::vector<pruning::LogEntry>> pruneLog(std::int64_t sweepId) override;
    Expected<std::vector<sweep::TrialRecord>> changes(std::int64_t sweepId) override;
    Expected<std::vector<sweep::HistoryEntry>> history(std::int64_t sweepId, int trial) override;
    Expected<void> appendToPruneLog(std::int64_t sweepId, const std::vector<pruning::LogEntry> &entries) override;
    /// Writes objective, step and progress of running trials: no transition.
    Expected<void> updateProgress(const std::vector<const TrialRow *> &trials) override;

private:
    Expected<void> writeSweep(const sweep::SweepRecord &sweep);
    Expected<void> writeTrial(const TrialRow &trial);
    Expected<void> writeChange(const TrialChange &change, WallNs time);
    Expected<void> writeHistory(std::int64_t sweepId, int trial, const std::string &before, const std::string &after,
                                const facts::Fact &reason, WallNs time);
    Expected<void> writeTransitions(const TrialRow &trial, std::span<const Transition> transitions, WallNs time);
    Expected<void> insertUnfinished(sweep::SweepRecord &sweep, std::int64_t above);
    Expected<void> insertTrials(std::int64_t sweepId, std::span<const TrialRow> rows);
    Expected<void> discardTrials(std::int64_t sweepId, int from);
    Expected<void> keepDefinition(std::int64_t sweepId, const DefinitionChange &definition, WallNs time);
    Expected<void> stopQueuedTrials(std::int64_t sweepId, const facts::Fact &reason, WallNs time);
    /// Prepares, binds and executes a statement.
    template <typename... Values>
    Expected<void> run(const char *sql, const Values &...values);

    Database &m_database;
};

}  // namespace sweepscope::engine
