#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <chrono>
#include <vector>

namespace sweepscope::launch {

/// The agent's signals as a queue: TERM, INT, USR2, TSTP, CONT, CHLD are blocked and read from here, so that nothing
/// ever runs inside a signal handler. HUP, PIPE and XFSZ are ignored: a closed terminal, a lost reader or a limit on
/// the size of files does not end a trial; a write that fails says so.
class SignalQueue {
public:
    static Expected<SignalQueue> create();

    /// Wait until a signal comes or `timeout` is over; all that have come.
    std::vector<int> wait(std::chrono::milliseconds timeout);

private:
    explicit SignalQueue(FileDescriptor fd) : m_fd(std::move(fd)) {}
    FileDescriptor m_fd;
};

}  // namespace sweepscope::launch
