#pragma once

#include "base/workspacelayout.h"
#include "launch/agentprocess.h"

#include <optional>
#include <string>
#include <sys/types.h>

/// What is done for an attempt whose agent is gone.
namespace sweepscope::node {

struct Recovery {
    std::string undone;      ///< what could not be done, as sentences; empty if complete
    bool needsRoom = false;  ///< it can be completed when the disk has room
};

/// For an agent that was killed: ends the processes that its ranks left running, and moves their last telemetry from
/// the rings into the logs. Safe to repeat. `agent`: the one that was killed.
Recovery recoverAttempt(const AttemptLayout &files, const std::string &attemptId, int ranks,
                        const launch::ProcessIdentity &agent);

/// The part of it that concerns rings: of an agent on a node whose processes are not seen here. Rings are in its memory,
/// so usually only the links to them are left.
Recovery recoverRings(const AttemptLayout &files, const std::string &attemptId, int ranks,
                      const launch::ProcessIdentity &agent);

/// Returns whether a ring exists. An agent removes its rings before it reports the end of the attempt.
bool hasRings(const AttemptLayout &files, int ranks);

/// Withdraw launch.json, so that an agent that starts late cannot begin, and restore it.
void withdrawLaunchFile(const AttemptLayout &files);
void restoreLaunchFile(const AttemptLayout &files);

/// Returns the process in /proc that has this attempt folder as an argument; nullopt if there is none.
std::optional<pid_t> findAgent(const std::filesystem::path &attemptFolder);

/// Returns the last line that is not blank, or a sentence that there is none.
std::string lastLineOf(const std::filesystem::path &log);

}  // namespace sweepscope::node
