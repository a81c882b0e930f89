#pragma once

#include "launch/agentprocess.h"
#include "sweep/control.h"
#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::engine {

/// A request to a trial's attempt that is not completed yet. It is written to the database before the engine acts: an
/// engine that takes over after a crash completes it.
enum class PendingRequest {
    Nothing,
    Pause,             ///< once its ranks run
    Resume,            ///< it is saving its checkpoint to be paused: another attempt follows immediately
    StopAtCheckpoint,  ///< this and the following: its end is no failure to be retried
    Stop,
    Kill,
};
/// "", "pause", "resume", "stop at checkpoint", "stop", "kill": for the database.
std::string toString(PendingRequest pending);
std::optional<PendingRequest> pendingRequestFromString(const std::string &text);
PendingRequest pendingRequestOf(sweep::StopMode mode);
/// Returns nullopt unless it is a stop.
std::optional<sweep::StopMode> stopModeOf(PendingRequest pending);

/// A trial as the engine stores it: the public record, and what only scheduling needs.
struct TrialRow {
    sweep::TrialRecord record;
    int failures = 0;     ///< attempts that failed or were lost; retries are counted by it
    bool spared = false;  ///< a person reran or stopped it after it was pruned: it is neither pruned again nor promoted
    PendingRequest pending = PendingRequest::Nothing;
    std::optional<std::int64_t> firstStep;         ///< the first step that its chain reported (sweep/trialchain.h)
    std::optional<std::int64_t> objectiveReached;  ///< highest step at which its chain reported the objective
    /// The last values of the metrics that decide what it comes to (sweep/outcome.h), for the history.
    std::vector<std::pair<std::string, double>> outcome;
};

/// One attempt of a trial. Written before its agent is started, so that a crash in between can be detected.
struct AttemptRow {
    std::int64_t sweepId = 0;
    int trial = 0;
    int number = 1;
    std::string id;                                ///< LaunchSpec::attemptId
    std::optional<launch::ProcessIdentity> agent;  ///< nullopt until it was started and noted
    WallNs created = 0;                            ///< of a job that has begun: then
    int devices = 1;                               ///< of all its ranks
};

/// Returns what the attempt has used until then, in nanoseconds times devices.
WallNs deviceTime(const AttemptRow &attempt, WallNs until);

}  // namespace sweepscope::engine
