#pragma once

#include "engine/database.h"
#include "engine/pruner.h"
#include "engine/sweepstore.h"
#include "engine/trialrow.h"
#include "sweep/trialhistory.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What a few lines about a sweep need.
struct SweepSummary {
    std::map<sweep::TrialState, int> counts;
    std::optional<sweep::TrialRecord> best;
    std::vector<sweep::TrialRecord> underWay;
    std::vector<sweep::TrialRecord> lastCompleted;  ///< a few hundred: enough to tell how long a trial takes
};

/// What the database of a workspace holds. For the engine itself, and for command lines when no engine runs.
class StoreReader {
public:
    explicit StoreReader(Database &database) : m_database(database) {}

    /// In order of their ids.
    Expected<std::vector<sweep::SweepRecord>> sweeps();
    /// Trials first..last, in order of their numbers; those that are not there are left out.
    Expected<std::vector<TrialRow>> trials(std::int64_t sweepId, int first, int last);
    Expected<std::vector<sweep::TrialRecord>> allTrials(std::int64_t sweepId);
    /// What can be said of a sweep in a few lines, at a cost that does not go with the size of its records.
    Expected<SweepSummary> summary(const sweep::SweepRecord &sweep);
    /// Attempts of a sweep that have not ended, as far as the database knows.
    Expected<std::vector<AttemptRow>> openAttempts(std::int64_t sweepId);
    /// Where the trials of a sweep were at its rungs, trial by trial.
    Expected<std::vector<TrialRung>> rungs(std::int64_t sweepId);
    /// In the order in which it happened. Trial 0: of the sweep and all its trials.
    Expected<std::vector<sweep::HistoryEntry>> history(std::int64_t sweepId, int trial);
    /// The definition before the last edit that was not undone; empty when there is none.
    Expected<std::string> definitionBeforeEdit(std::int64_t sweepId);
    /// Without what they ran: that is in their folders.
    Expected<std::vector<sweep::AttemptRecord>> attempts(std::int64_t sweepId, int trial);

private:
    Expected<std::vector<TrialRow>> trialsWhere(std::int64_t sweepId, const std::string &condition);
    Database &m_database;
};

}  // namespace sweepscope::engine
