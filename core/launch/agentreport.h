#pragma once

#include <sys/types.h>

namespace sweepscope::launch {

/// What a new process reports to the process that starts an agent, before it becomes that agent. End of file after the
/// pid: it has become the agent.
struct AgentReport {
    enum Kind { AgentPid, ForkFailed, StartFailed } kind;
    int value;  ///< pid or errno
};

/// Async-signal-safe. Does nothing if the reader is gone.
void sendReport(int fd, AgentReport::Kind kind, int value) noexcept;

/// Returns false at end of file.
bool readReport(int fd, AgentReport &report);

}  // namespace sweepscope::launch
