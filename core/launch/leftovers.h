#pragma once

#include "base/error.h"

#include "launch/agentprocess.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::launch {

/// The content of children.txt. Ranks can write that file too, so a note alone is not sufficient evidence.
struct NotedChildren {
    std::vector<ProcessIdentity> processes;
    std::uint64_t since = 0;  ///< the start time of the attempt's agent
};

/// Why a noted process is not killed.
enum class SpareReason {
    BeganBefore,       ///< it started before the attempt
    OfAnotherAttempt,  ///< according to its environment
    OfSweepscope,      ///< one of our programs, or a descendant of one
    Unreadable,        ///< its environment cannot be read
};

/// The facts that decide whether a note is enough to kill a process.
struct NotedProcess {
    std::uint64_t startTime = 0;
    std::optional<std::string> environment;  ///< as /proc/PID/environ; nullopt if it cannot be read
    std::string program;                     ///< the name of its executable
    bool hasOursBelow = false;               ///< one of our programs is among its descendants
};
/// Returns nullopt if the note is enough to kill it.
std::optional<SpareReason> spareReason(const NotedProcess &process, std::string_view attemptId, std::uint64_t since);

struct Leftovers {
    int killed = 0;
    std::vector<std::pair<pid_t, SpareReason>>
        spared;  ///< noted processes that were not killed, without their descendants
};

/// Call after an agent was killed: its ranks died with it, but their children (data loaders, processes started by a
/// script) did not. Kills every process of this user that has SWEEPSCOPE_ATTEMPT_ID=`attemptId` in its environment, and
/// the noted ones with all descendants unless spareReason() objects, and repeats the search until none is left. A process
/// that has cleared its environment is found only if it was noted. Never kills the caller.
Leftovers killLeftovers(const std::string &attemptId, const NotedChildren &noted = {});

}  // namespace sweepscope::launch
