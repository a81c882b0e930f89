#pragma once

#include "engine/suggester.h"
#include "engine/sweepledger.h"
#include "pruning/prunelog.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace sweepscope::engine {

/// The pruning rule of a sweep, the log of what it was told and decided, and what its program, if it has one, has been told.
/// Ends no trial.
class SweepPruning {
public:
    /// The arguments must outlive it.
    SweepPruning(SweepStore &store, SweepLedger &ledger, const sweep::SweepSpec &spec)
        : m_store(store), m_ledger(ledger), m_spec(spec)
    {}

    /// Call at first and after each edit: reads the log. `running`: the trials with an attempt. Returns an error if the log
    /// cannot be read: trials are then compared with later ones only.
    Expected<void> load(const std::set<int> &running);
    /// The objective has changed: call before load(). The log in the database is empty.
    void forget() { m_unwritten.clear(); }
    /// The next verdict about each of them is given even if they reach no other rung.
    void judgeAgain(const std::set<int> &trials) { m_again = trials; }

    /// nullptr without a rule.
    const pruning::Pruner *pruner() const { return m_pruner ? &*m_pruner : nullptr; }
    /// Number of entries in the log.
    std::int64_t logSize() const { return m_logSize; }
    /// Trials that reached a rung since the last call.
    std::set<int> takeReached() { return std::exchange(m_reached, {}); }

    /// Judges a trial that has reached these rungs (at least one). Returns the verdict at the last one, or with PBT at
    /// an earlier one; nullopt if no verdict is due, or if the trial cannot be pruned.
    std::optional<pruning::Verdict> judge(int trial, const std::vector<pruning::RungValue> &rungs, bool mayBePruned);
    void completed(const TrialRow &row);
    /// The trial starts from scratch.
    void startedOver(int trial);
    /// Tells the rule, and writes the entries down. A later engine lacks at most what could not be written, and compares with
    /// fewer trials.
    void log(const std::vector<pruning::LogEntry> &entries);
    /// Returns false while some entry cannot be written.
    bool writeLog();

    /// The program will be told of the trial with the next request.
    void noteChange(int trial);
    /// What to ask the program about a trial at a rung.
    VerdictRequest requestFor(const AttemptRow &attempt, const pruning::RungValue &value);

private:
    std::optional<pruning::Verdict> verdictOf(int trial, const std::vector<pruning::RungValue> &rungs,
                                              std::vector<pruning::LogEntry> &entries) const;

    SweepStore &m_store;
    SweepLedger &m_ledger;
    const sweep::SweepSpec &m_spec;
    std::optional<pruning::Pruner> m_pruner;
    std::set<int> m_again;  ///< trials whose last verdict was to prune them, when it was read
    std::int64_t m_logSize = 0;
    std::vector<pruning::LogEntry> m_unwritten;  ///< that the database did not take
    std::set<int> m_reached;
    std::set<int> m_untold;            ///< trials that have changed since the program was last asked
    bool m_programKnowsSweep = false;  ///< it was asked under this definition
};

}  // namespace sweepscope::engine
