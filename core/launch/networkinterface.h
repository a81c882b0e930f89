#pragma once

#include <map>
#include <optional>
#include <string>
#include <sys/socket.h>

namespace sweepscope::launch {

/// For connect() and bind().
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = sizeof(sockaddr_storage);

    sockaddr *get() { return reinterpret_cast<sockaddr *>(&storage); }
};
/// `address`: IPv4 or IPv6 as numbers; nullopt: it is none. Names are not looked up.
std::optional<SocketAddress> socketAddress(const std::string &address, int port);

/// Returns the interface through which this machine reaches the address ("eth0"), which may be its own. Empty if there
/// is none, or if the address is not numeric.
std::string interfaceTowards(const std::string &address);

/// Makes Gloo, NCCL and TensorPipe use that interface, unless the user has chosen one: by default Gloo takes the address of
/// the machine's name, which is 127.0.1.1 on Debian and Ubuntu.
void useInterfaceTowards(const std::string &address, std::map<std::string, std::string> &environment);

}  // namespace sweepscope::launch
