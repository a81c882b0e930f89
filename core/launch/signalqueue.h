#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <chrono>
#include <vector>

namespace sweepscope::launch {

/// The agent's signals as a queue: TERM, INT, USR2, TSTP, CONT, CHLD are blocked and read from here, so that no code
/// ever runs inside a signal handler. HUP, PIPE and XFSZ are ignored: a closed terminal, a lost reader or a file size
/// limit does not end a trial; the failed write returns an error.
class SignalQueue {
public:
    static Expected<SignalQueue> create();

    /// Waits until a signal arrives or `timeout` has passed, and returns all that have arrived.
    std::vector<int> wait(std::chrono::milliseconds timeout);

private:
    explicit SignalQueue(FileDescriptor fd) : m_fd(std::move(fd)) {}
    FileDescriptor m_fd;
};

}  // namespace sweepscope::launch
