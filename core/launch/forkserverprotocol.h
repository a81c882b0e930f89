#pragma once

#include <chrono>
#include <cstddef>

/// Between ForkServer and its process: a SOCK_SEQPACKET socket.
///
///     server -> engine   'R' once, when it has loaded
///     engine -> server   the attempt's folder, then every variable of the agent's environment, each ended by a zero byte;
///                        with descriptors: agent.log, a stream socket of that agent, then the leases of its GPUs
///     agent  -> engine   on its socket, AgentReport
///     engine -> agent    on its socket, 'G': go. At end of file instead the agent ends; it has touched nothing.
namespace sweepscope::launch::forkserver {

constexpr int socketFd = 3;
constexpr char readyMark = 'R';
constexpr char goMark = 'G';
constexpr std::size_t maxRequestBytes = 128 * 1024;
constexpr std::size_t maxDescriptors = 64;
/// Nobody has asked for so long: attempts that take longer can do without.
constexpr std::chrono::minutes idleLimit{10};

}  // namespace sweepscope::launch::forkserver
