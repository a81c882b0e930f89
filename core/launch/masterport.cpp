#include "launch/masterport.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>

namespace sweepscope::launch {

namespace {

/// Finds a port that is free on all addresses: torch's store listens on all of them.
Expected<int> freePort()
{
    const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    socklen_t length = sizeof address;
    if (!socket || ::bind(socket.get(), reinterpret_cast<sockaddr *>(&address), length) != 0
        || ::getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address), &length) != 0)
        return makeErrnoError("no free TCP port for MASTER_PORT", errno);
    return ntohs(address.sin_port);
}

/// An abstract socket name is as local to this network namespace as the port is, and the kernel frees it when its owner
/// dies: a lease without files.
FileDescriptor lease(int port)
{
    FileDescriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = "sweepscope-master-port-" + std::to_string(port);
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    if (!socket || ::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), length) != 0)
        return {};
    return socket;
}

}  // namespace

Expected<MasterPort> MasterPort::choose()
{
    constexpr int tries = 100;
    for (int i = 0; i < tries; ++i) {
        const auto port = freePort();
        if (!port)
            return tl::unexpected(port.error());
        if (FileDescriptor leased = lease(*port))
            return MasterPort(*port, std::move(leased));
    }
    return makeError(ErrorCode::Unavailable,
                     "no free TCP port for MASTER_PORT: all tested ports are reserved by other trials");
}

}  // namespace sweepscope::launch
