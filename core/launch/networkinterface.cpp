#include "launch/networkinterface.h"

#include "base/filedescriptor.h"

#include <arpa/inet.h>
#include <cstdint>
#include <cstdlib>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string_view>

namespace sweepscope::launch {

namespace {

std::string_view bytesOf(const sockaddr &address)
{
    if (address.sa_family == AF_INET) {
        const auto &v4 = reinterpret_cast<const sockaddr_in &>(address).sin_addr;
        return {reinterpret_cast<const char *>(&v4), sizeof v4};
    }
    if (address.sa_family == AF_INET6) {
        const auto &v6 = reinterpret_cast<const sockaddr_in6 &>(address).sin6_addr;
        return {reinterpret_cast<const char *>(&v6), sizeof v6};
    }
    return {};
}

}  // namespace

std::optional<SocketAddress> socketAddress(const std::string &address, int port)
{
    SocketAddress found;
    auto &v4 = reinterpret_cast<sockaddr_in &>(found.storage);
    auto &v6 = reinterpret_cast<sockaddr_in6 &>(found.storage);
    if (::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(static_cast<std::uint16_t>(port));
        found.size = sizeof v4;
        return found;
    }
    if (::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(static_cast<std::uint16_t>(port));
        found.size = sizeof v6;
        return found;
    }
    return std::nullopt;
}

std::string interfaceTowards(const std::string &address)
{
    constexpr int discard = 9;
    auto there = socketAddress(address, discard);
    if (!there)
        return {};
    SocketAddress own;
    // The kernel chooses the route, and nothing is sent.
    const FileDescriptor probe(::socket(there->storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifaddrs *all = nullptr;
    if (!probe || ::connect(probe.get(), there->get(), there->size) != 0
        || ::getsockname(probe.get(), own.get(), &own.size) != 0 || ::getifaddrs(&all) != 0)
        return {};
    const std::string_view wanted = bytesOf(*own.get());
    std::string name;
    for (const ifaddrs *one = all; one != nullptr && name.empty(); one = one->ifa_next) {
        if (one->ifa_addr != nullptr && bytesOf(*one->ifa_addr) == wanted)
            name = one->ifa_name;
    }
    ::freeifaddrs(all);
    return name;
}

void useInterfaceTowards(const std::string &address, std::map<std::string, std::string> &environment)
{
    const std::string name = interfaceTowards(address);
    if (name.empty())
        return;
    const auto choose = [&](const char *variable, const std::string &value) {
        if (std::getenv(variable) == nullptr)
            environment.emplace(variable, value);
    };
    choose("GLOO_SOCKET_IFNAME", name);
    choose("NCCL_SOCKET_IFNAME", "=" + name);  // exactly this one, not all that begin like it
    choose("TP_SOCKET_IFNAME", name);
}

}  // namespace sweepscope::launch
