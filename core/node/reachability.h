#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::node {

/// TCP connections that only show whether ranks on two machines will find each other. Nothing is sent on them, and nothing
/// blocks.
class Reachability {
public:
    /// Listens on all addresses for a minute. Returns the port.
    Expected<int> listen();
    /// Begins to connect. `address`: a number, IPv4 or IPv6.
    void dial(std::int64_t job, const std::string &address, int port);
    /// Returns the connections that were made, or were not: after 5 seconds at most.
    std::vector<std::pair<std::int64_t, Expected<void>>> poll();

private:
    using Time = std::chrono::steady_clock::time_point;
    struct Listener {
        FileDescriptor socket;
        Time until;
    };
    struct Call {
        std::int64_t job = 0;
        std::string to;  ///< "10.0.0.2, port 40123"
        FileDescriptor socket;
        Time until;
        int error = 0;  ///< of connect(), EINPROGRESS while it goes on
    };
    std::vector<Listener> m_listeners;
    std::vector<Call> m_calls;
};

}  // namespace sweepscope::node
