#pragma once

#include "engine/database.h"
#include "engine/store.h"
#include "simulation/dice.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace sweepscope::simulation {

/// Thrown where the engine is killed.
struct Killed {};

/// A workspace's database, in memory if the machine has a file system for that. It outlives engines.
class SimulatedDatabase {
public:
    SimulatedDatabase();
    ~SimulatedDatabase();

    /// Opens it like a new engine.
    Expected<void> open();
    /// Its engine was killed: the next open() finds the file and its log in their present state.
    void kill();
    engine::Database &database() { return *m_database; }

private:
    std::filesystem::path file(const char *ending = "") const;

    std::filesystem::path m_folder;
    int m_generation = 0;
    std::unique_ptr<engine::Database> m_database;
};

/// A store whose writes fail while the disk is full, and that kills the engine at a chosen write: before it, after it,
/// or within its transaction.
class FaultyStore : public engine::SweepStore {
public:
    enum class Place { Before, Within, After };
    FaultyStore(engine::SweepStore &store, engine::Database &database, Dice &dice)
        : m_store(store), m_database(database), m_dice(dice)
    {}

    bool diskIsFull = false;
    int killAt = 0;  ///< the number of the fatal write from now on, 1 is the next; 0: none
    Place killPlace = Place::Before;
    std::uint64_t writes = 0;
    std::uint64_t failures = 0;
    bool rungsMayBeLost = false;

    Expected<void> commit(const sweep::SweepRecord &sweep, const engine::Decision &decision, WallNs time) override
    {
        return write("UPDATE ON main.trial", [&] { return m_store.commit(sweep, decision, time); });
    }
    Expected<void> beginAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt) override
    {
        return write("INSERT ON main.attempt", [&] { return m_store.beginAttempt(change, attempt); });
    }
    Expected<void> noteAgent(const engine::AttemptRow &attempt) override
    {
        return write("UPDATE ON main.attempt", [&] { return m_store.noteAgent(attempt); });
    }
    Expected<void> endAttempt(const engine::TrialChange &change, const engine::AttemptRow &attempt,
                              const engine::AttemptEnding &ending) override
    {
        return write("UPDATE ON main.attempt", [&] { return m_store.endAttempt(change, attempt, ending); });
    }
    Expected<void> appendToPruneLog(std::int64_t sweepId, const std::vector<pruning::LogEntry> &entries) override
    {
        return writeRungs([&] { return m_store.appendToPruneLog(sweepId, entries); });
    }
    Expected<void> updateProgress(const std::vector<const engine::TrialRow *> &trials) override
    {
        return write("UPDATE ON main.trial", [&] { return m_store.updateProgress(trials); });
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
    using Write = std::function<Expected<void>()>;
    Expected<void> write(const char *statement, const Write &body);
    Expected<void> writeRungs(const Write &body);
    Expected<void> failWithin(const char *statement, const Write &body);

    engine::SweepStore &m_store;
    engine::Database &m_database;
    Dice &m_dice;
};

}  // namespace sweepscope::simulation
