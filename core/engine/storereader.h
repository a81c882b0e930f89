#pragma once

#include "engine/database.h"
#include "engine/trialrow.h"

#include <vector>

namespace sweepscope::engine {

/// What the database of a workspace holds. For the engine itself, and for command lines when no engine runs.
class StoreReader {
public:
    explicit StoreReader(Database &database) : m_database(database) {}

    /// In order of their ids.
    Expected<std::vector<sweep::SweepRecord>> sweeps();
    /// Trials first..last, in order of their numbers; those that are not there are left out.
    Expected<std::vector<TrialRow>> trials(std::int64_t sweepId, int first, int last);
    Expected<std::vector<sweep::TrialRecord>> allTrials(std::int64_t sweepId);
    /// Attempts of a sweep that have not ended, as far as the database knows.
    Expected<std::vector<AttemptRow>> openAttempts(std::int64_t sweepId);

private:
    Database &m_database;
};

}  // namespace sweepscope::engine
