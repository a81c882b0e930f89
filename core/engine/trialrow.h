#pragma once

#include "launch/agentprocess.h"
#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// A trial as the engine keeps it: what everybody sees, and what only scheduling needs.
struct TrialRow {
    sweep::TrialRecord record;
    bool enqueued = false;  ///< asked for as a point of its own
    int failures = 0;       ///< attempts that failed or were lost; retries are counted by it
    bool spared = false;    ///< a person had it run again after it was pruned: it is not pruned once more
};

/// One attempt of a trial. Written before its agent is started, so that a crash in between is seen afterwards.
struct AttemptRow {
    std::int64_t sweepId = 0;
    int trial = 0;
    int number = 1;
    std::string id;                                ///< LaunchSpec::attemptId
    std::optional<launch::ProcessIdentity> agent;  ///< empty until it was started and noted
    WallNs created = 0;
    int devices = 1;  ///< of all its ranks
};

}  // namespace sweepscope::engine
