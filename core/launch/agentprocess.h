#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <sys/types.h>

namespace sweepscope::launch {

/// Names one process for good: a pid alone may be given to another one later.
struct ProcessIdentity {
    pid_t pid = 0;
    std::uint64_t startTime = 0;  ///< field 22 of /proc/PID/stat, in clock ticks since boot
};

/// Start time of a living process; NotFound when there is none (a zombie counts as none).
Expected<std::uint64_t> processStartTime(pid_t pid);
bool isAlive(const ProcessIdentity &process);

/// Start `sweepscope-agent ATTEMPT_FOLDER`, in a session of its own and no child of the caller: it outlives the engine.
/// Its output goes to agent.log. The attempt folder must hold launch.json. The agent inherits `leases`, descriptors of
/// ours, and keeps them until its ranks have ended.
Expected<ProcessIdentity> startAgent(const std::filesystem::path &agentProgram,
                                     const std::filesystem::path &attemptFolder, std::span<const int> leases = {});

/// Start `sweepscope-agent --tidy ATTEMPT_FOLDER` in the same way: for an attempt whose agent was killed, when its rings
/// are recovered.
Expected<ProcessIdentity> startTidying(const std::filesystem::path &agentProgram,
                                       const std::filesystem::path &attemptFolder);

/// Send `signal` if the process is still the same one. NotFound when it is gone.
Expected<void> signalProcess(const ProcessIdentity &process, int signal);

}  // namespace sweepscope::launch
