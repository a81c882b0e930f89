#pragma once

#include "engine/database.h"
#include "engine/sweepstore.h"
#include "engine/trialrow.h"
#include "sweep/trialhistory.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// The data for a short summary of a sweep.
struct SweepSummary {
    std::map<sweep::TrialState, int> counts;
    std::optional<sweep::TrialRecord> best;
    std::vector<sweep::TrialRecord> underWay;
    std::vector<sweep::TrialRecord> lastCompleted;  ///< a few hundred: enough to estimate how long a trial takes
};

/// Reads the database of a workspace. For the engine itself, and for command lines when no engine runs.
class StoreReader {
public:
    explicit StoreReader(Database &database) : m_database(database) {}

    /// In order of their ids.
    Expected<std::vector<sweep::SweepRecord>> sweeps();
    /// Returns the trials first..last, ordered by number; missing ones are left out.
    Expected<std::vector<TrialRow>> trials(std::int64_t sweepId, int first, int last);
    Expected<std::vector<sweep::TrialRecord>> allTrials(std::int64_t sweepId);
    /// Returns the data for a short summary, at a cost independent of the number of trials.
    Expected<SweepSummary> summary(const sweep::SweepRecord &sweep);
    /// Returns the attempts of a sweep that have not ended according to the database.
    Expected<std::vector<AttemptRow>> openAttempts(std::int64_t sweepId);
    /// In the order in which it was written.
    Expected<std::vector<pruning::LogEntry>> pruneLog(std::int64_t sweepId);
    /// In chronological order. Trial 0: of the sweep and all its trials.
    Expected<std::vector<sweep::HistoryEntry>> history(std::int64_t sweepId, int trial);
    /// As SweepStore::changes().
    Expected<std::vector<sweep::TrialRecord>> changes(std::int64_t sweepId);
    /// Definitions before each edit and undo, the oldest first.
    Expected<std::vector<std::string>> definitions(std::int64_t sweepId);
    /// The definition before the last edit that was not undone; empty when there is none.
    Expected<std::string> definitionBeforeEdit(std::int64_t sweepId);
    /// Without the commands that they ran, which are in their folders.
    Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial);

private:
    Expected<std::vector<TrialRow>> trialsWhere(std::int64_t sweepId, const std::string &condition);
    Database &m_database;
};

}  // namespace sweepscope::engine
