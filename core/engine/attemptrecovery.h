#pragma once

#include "base/workspacelayout.h"
#include "launch/agentprocess.h"

#include <string>

/// What is done for an attempt whose agent is not there to do it.
namespace sweepscope::engine {

struct Recovery {
    std::string undone;      ///< what could not be done, as sentences; empty when all is well
    bool needsRoom = false;  ///< it can be done when there is room on the disk
};

/// The agent was killed: end what its ranks left running, and bring their last telemetry from the rings into the logs.
/// Safe to repeat. `agent`: the one that was killed.
Recovery recoverAttempt(const AttemptLayout &files, const std::string &attemptId, int ranks,
                        const launch::ProcessIdentity &agent);

/// A ring is there, which an agent removes before it says that the attempt has ended.
bool hasRings(const AttemptLayout &files, int ranks);

/// Take launch.json away, so that an agent that starts late cannot begin, and give it back.
void withdrawLaunchFile(const AttemptLayout &files);
void restoreLaunchFile(const AttemptLayout &files);

/// A process that was given this attempt folder as its argument, by /proc.
bool agentRunsFor(const std::filesystem::path &attemptFolder);

/// The last line with something in it, or a sentence that there is none.
std::string lastLineOf(const std::filesystem::path &log);

}  // namespace sweepscope::engine
