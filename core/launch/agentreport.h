#pragma once

#include <sys/types.h>

namespace sweepscope::launch {

/// What a new process says to whoever starts an agent before it becomes that agent. End of file after the pid = it is
/// the agent.
struct AgentReport {
    enum Kind { AgentPid, ForkFailed, StartFailed } kind;
    int value;  ///< pid or errno
};

/// Async-signal-safe. To a reader that is gone it says nothing.
void sendReport(int fd, AgentReport::Kind kind, int value) noexcept;

/// False at end of file.
bool readReport(int fd, AgentReport &report);

}  // namespace sweepscope::launch
