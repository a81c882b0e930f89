#pragma once

#include "launch/agentprocess.h"
#include "sweep/control.h"
#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sweepscope::engine {

/// What a person has asked of a trial's attempt and has not come about yet. It is in the database before anything is
/// done for it: an engine that takes over after a crash goes on with it.
enum class Asked {
    Nothing,
    Pause,             ///< as soon as its ranks run
    Resume,            ///< it saves its checkpoint to be paused: a further attempt follows at once
    StopAtCheckpoint,  ///< this and the following: its end is no failure to be tried again
    Stop,
    Kill,
};
/// "", "pause", "resume", "stop at checkpoint", "stop", "kill": for the database.
std::string toString(Asked asked);
std::optional<Asked> askedFromString(const std::string &text);
Asked askedOf(sweep::StopMode mode);
/// Nothing unless it is a stop.
std::optional<sweep::StopMode> stopModeOf(Asked asked);

/// A trial as the engine keeps it: what everybody sees, and what only scheduling needs.
struct TrialRow {
    sweep::TrialRecord record;
    int failures = 0;     ///< attempts that failed or were lost; retries are counted by it
    bool spared = false;  ///< a person had it run again after it was pruned: it is not pruned once more
    Asked asked = Asked::Nothing;
    std::optional<std::int64_t> firstStep;         ///< that its chain reported (sweep/trialchain.h)
    std::optional<std::int64_t> objectiveReached;  ///< highest step at which its chain reported the objective
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

/// What the attempt has used until then: nanoseconds times devices.
WallNs deviceTime(const AttemptRow &attempt, WallNs until);

}  // namespace sweepscope::engine
