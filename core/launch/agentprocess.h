#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <sys/types.h>

namespace sweepscope::launch {

/// Identifies a process uniquely: a pid alone may be reused.
struct ProcessIdentity {
    pid_t pid = 0;
    std::uint64_t startTime = 0;  ///< field 22 of /proc/PID/stat, in clock ticks since boot
};

/// Returns the start time of a living process; NotFound if there is none (a zombie counts as none).
Expected<std::uint64_t> processStartTime(pid_t pid);
bool isAlive(const ProcessIdentity &process);

enum class AgentTask {
    Run,
    Tidy,  ///< sweepscope-agent --tidy: of an attempt whose agent was killed, when its rings are recovered
};

/// Starts `sweepscope-agent ATTEMPT_FOLDER` in a separate session: it outlives the engine, which need not wait for it. Its output goes to agent.log. The attempt folder must contain launch.json. The agent inherits `leases`,
/// descriptors of ours, and keeps them until its ranks have ended.
Expected<ProcessIdentity> startAgent(const std::filesystem::path &agentProgram,
                                     const std::filesystem::path &attemptFolder, std::span<const int> leases = {},
                                     AgentTask task = AgentTask::Run);

/// Sends `signal` if the process is still the same one. NotFound if it is gone.
Expected<void> signalProcess(const ProcessIdentity &process, int signal);

}  // namespace sweepscope::launch
