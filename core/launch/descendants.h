#pragma once

#include "launch/agentprocess.h"

#include <set>
#include <sys/types.h>
#include <utility>

namespace sweepscope::launch {

/// Signals everything that this process started, directly or indirectly. This process is a subreaper: an orphaned
/// descendant becomes our child, so none escapes by forking twice or by setsid().
class Descendants {
public:
    /// Makes this process a subreaper. Call before the first child.
    static Expected<void> adoptOrphans();

    /// Sends SIGTERM once to each process: to the ranks in `living`, and to the processes left by those that have
    /// ended. A living rank must end its own children: a data loader that dies first would spoil its last checkpoint.
    void terminate(const std::set<pid_t> &living);

    /// Sends SIGKILL to all descendants. Repeat until none is left, because a process may fork during the search.
    void kill();

    /// Send SIGSTOP and SIGCONT to all.
    void freeze();
    void thaw();

private:
    std::set<std::pair<pid_t, std::uint64_t>> m_terminated;  ///< processes that were sent SIGTERM: pid and start time
};

}  // namespace sweepscope::launch
