#pragma once

#include "engine/store.h"
#include "simulation/invariants.h"

#include <optional>
#include <span>
#include <string>

/// Faults injected into the simulation, each of which violates one invariant: they show that the invariant can fail.
namespace sweepscope::simulation {

enum class Mutation {
    None,
    DropAddedTrial,
    LaunchWithoutSweep,
    ForgetRequest,
    DropTransition,
    CutHistory,
    MisreportEnd,
    MissCompletion,
    IgnoreStop,
    IgnorePause,
    IgnoreFreeze,
    ShareDevice,
    StartTwice,
    ExceedConcurrent,
    RetryForever,
    IgnoreBudget,
    SkipReports,
    ReverseGoal,
    IgnoreRungs,
    MoveRungs,
    DropEndTime,
    RefuseEnded,
    OrphanRow,
    LoseDevices,
    HideEnds,
    UnseededDice,
    MisstateInputs,
    KeepMeans,
};

struct MutationInfo {
    Mutation mutation;
    const char *name;
    Invariant violates;
};
std::span<const MutationInfo> mutations();
std::optional<MutationInfo> mutationFromString(const std::string &name);

/// The database, except for the writes that the mutation changes.
class MutatedStore : public engine::SweepStore {
public:
    MutatedStore(engine::Store &store, Mutation mutation) : m_store(store), m_mutation(mutation) {}

    Expected<void> commit(const sweep::SweepRecord &sweep, const engine::Decision &decision, WallNs time) override;
    Expected<void> beginAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt) override;
    Expected<void> noteAgent(const engine::AttemptRow &attempt) override { return m_store.noteAgent(attempt); }
    Expected<void> endAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt,
                              const engine::AttemptEnding &ending) override;
    Expected<void> appendToPruneLog(std::int64_t sweepId, const std::vector<pruning::LogEntry> &entries) override
    {
        return m_store.appendToPruneLog(sweepId, entries);
    }
    Expected<void> updateProgress(const std::vector<const engine::TrialRow *> &trials) override
    {
        return m_store.updateProgress(trials);
    }
    Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial) override
    {
        return m_store.attempts(sweepId, trial);
    }
    Expected<std::vector<pruning::LogEntry>> pruneLog(std::int64_t sweepId) override
    {
        return m_store.pruneLog(sweepId);
    }
    Expected<std::vector<sweep::TrialRecord>> changes(std::int64_t sweepId) override
    {
        return m_store.changes(sweepId);
    }
    Expected<std::vector<sweep::HistoryEntry>> history(std::int64_t sweepId, int trial) override
    {
        return m_store.history(sweepId, trial);
    }

private:
    engine::Store &m_store;
    Mutation m_mutation;
};

}  // namespace sweepscope::simulation
