#pragma once

#include "base/error.h"

#include "launch/agentprocess.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::launch {

/// What children.txt says. Ranks can write that file too, so a note alone is no proof.
struct NotedChildren {
    std::vector<ProcessIdentity> processes;
    std::uint64_t since = 0;  ///< start time of the attempt's agent
};

/// Why a process that was noted is not killed.
enum class Spared {
    BeganBefore,       ///< the attempt
    OfAnotherAttempt,  ///< as its environment says
    OfSweepscope,      ///< a program of ours, or one that such a program descends from
    Unreadable,        ///< its environment cannot be read
};

/// What is known of a process when it is decided whether a note is enough to kill it.
struct NotedProcess {
    std::uint64_t startTime = 0;
    std::optional<std::string> environment;  ///< as /proc/PID/environ; nullopt if it cannot be read
    std::string program;                     ///< the name of its executable
    bool hasOursBelow = false;               ///< a program of ours is among its descendants
};
/// nullopt: the note is enough.
std::optional<Spared> whySpared(const NotedProcess &process, std::string_view attemptId, std::uint64_t since);

struct Leftovers {
    int killed = 0;
    std::vector<std::pair<pid_t, Spared>> spared;  ///< of those noted, without what is below them
};

/// After an agent was killed: its ranks died with it, but the kernel does not tell their children (data loaders, what a
/// script started). Ends with SIGKILL every process of this user that has SWEEPSCOPE_ATTEMPT_ID=`attemptId` in its
/// environment, and those that were noted with everything below them unless whySpared() says otherwise, looking again
/// until there is none. A process that has emptied its environment is found only when it was noted. The caller is never
/// one of them.
Leftovers killLeftovers(const std::string &attemptId, const NotedChildren &noted = {});

}  // namespace sweepscope::launch
