#pragma once

#include <chrono>
#include <cstddef>

/// The protocol between ForkServer and its process, over a SOCK_SEQPACKET socket:
///
///     server -> engine   'R' once, when it has loaded
///     engine -> server   the attempt's folder, then every variable of the agent's environment, each ended by a zero byte;
///                        with descriptors: agent.log, a stream socket of that agent, then the leases of its GPUs
///     agent  -> engine   on its socket, AgentReport
///     engine -> agent    on its socket, 'G': go. At end of file instead the agent ends; it has changed nothing.
namespace sweepscope::launch::forkserver {

constexpr int socketFd = 3;
constexpr char readyMark = 'R';
constexpr char goMark = 'G';
constexpr std::size_t maxRequestBytes = 128 * 1024;
constexpr std::size_t maxDescriptors = 64;
/// The server ends when idle this long: attempts that take longer hardly benefit from it.
constexpr std::chrono::minutes idleLimit{10};

}  // namespace sweepscope::launch::forkserver
