#include "base/user.h"

#include <array>
#include <pwd.h>
#include <sys/socket.h>

namespace sweepscope {

std::string describeUser(uid_t user)
{
    const std::string number = "uid " + std::to_string(user);
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd *found = nullptr;
    if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr)
        return number;
    return std::string(found->pw_name) + " (" + number + ")";
}

std::optional<uid_t> peerUser(int socket)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return std::nullopt;
    return peer.uid;
}

}  // namespace sweepscope
