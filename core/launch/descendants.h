#pragma once

#include "launch/agentprocess.h"

#include <set>
#include <sys/types.h>
#include <utility>

namespace sweepscope::launch {

/// Signals to everything that this process started, directly or not. This process is a subreaper: whoever loses its
/// parent below us becomes our child, so nobody gets away by forking twice or by setsid().
class Descendants {
public:
    /// Become a subreaper. Call before the first child.
    static Expected<void> adoptOrphans();

    /// SIGTERM, once to each process: to the ranks in `living`, and to whatever is left of those that have ended. A
    /// living rank's own children are its own to end: a data loader that dies first would spoil its last checkpoint.
    void terminate(const std::set<pid_t> &living);

    /// SIGKILL to all. Call again until there is nobody left: a process may fork while we look.
    void kill();

    /// SIGSTOP, SIGCONT.
    void freeze();
    void thaw();

private:
    std::set<std::pair<pid_t, std::uint64_t>> m_asked;  ///< who has got its SIGTERM: pid and start time
};

}  // namespace sweepscope::launch
