#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace sweepscope {

/// "eve (uid 1001)", or "uid 1001" where the system knows no name.
std::string describeUser(uid_t user);

/// The user whose process is at the other end of a connected local socket; nullopt if the system does not say.
std::optional<uid_t> peerUser(int socket);

}  // namespace sweepscope
