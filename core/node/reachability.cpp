#include "node/reachability.h"

#include "launch/networkinterface.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace sweepscope::node {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto listenFor = 60s;
constexpr auto dialFor = 5s;
constexpr int backlog = 64;

}  // namespace

Expected<int> Reachability::listen()
{
    std::erase_if(m_listeners, [](const Listener &one) { return steady_clock::now() >= one.until; });
    // One of IPv6 takes both kinds, as the store of PyTorch does; where there is no IPv6, one of IPv4.
    for (const int family : {AF_INET6, AF_INET}) {
        FileDescriptor socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        const int off = 0;
        if (family == AF_INET6)
            ::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
        sockaddr_storage address{};
        address.ss_family = static_cast<sa_family_t>(family);
        socklen_t size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
        if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr *>(&address), size) != 0
            || ::listen(socket.get(), backlog) != 0
            || ::getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address), &size) != 0)
            continue;
        m_listeners.push_back({std::move(socket), steady_clock::now() + listenFor});
        return ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6 &>(address).sin6_port
                                        : reinterpret_cast<sockaddr_in &>(address).sin_port);
    }
    return makeErrnoError("cannot listen on a TCP port", errno);
}

void Reachability::dial(std::int64_t job, const std::string &address, int port)
{
    const std::string interface = launch::interfaceTowards(address);
    Call call{job,
              address + ", port " + std::to_string(port) + (interface.empty() ? "" : ", through " + interface),
              {},
              steady_clock::now() + dialFor,
              0};
    if (auto there = launch::socketAddress(address, port)) {
        call.socket = FileDescriptor(::socket(there->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!call.socket || ::connect(call.socket.get(), there->get(), there->size) != 0)
            call.error = errno;
    } else {
        call.error = EADDRNOTAVAIL;
    }
    m_calls.push_back(std::move(call));
}

std::vector<std::pair<std::int64_t, Expected<void>>> Reachability::poll()
{
    std::vector<std::pair<std::int64_t, Expected<void>>> ended;
    for (Call &call : m_calls) {
        if (call.error == EINPROGRESS) {
            pollfd file{call.socket.get(), POLLOUT, 0};
            socklen_t size = sizeof call.error;
            if (::poll(&file, 1, 0) > 0)
                ::getsockopt(call.socket.get(), SOL_SOCKET, SO_ERROR, &call.error, &size);
            else if (steady_clock::now() >= call.until)
                call.error = ETIMEDOUT;
        }
        if (call.error == EINPROGRESS)
            continue;
        ended.emplace_back(
            call.job, call.error == 0 ? Expected<void>()
                                      : makeError(ErrorCode::Unavailable, call.to + ": " + std::strerror(call.error)));
        call.job = 0;
    }
    std::erase_if(m_calls, [](const Call &call) { return call.job == 0; });
    return ended;
}

}  // namespace sweepscope::node
