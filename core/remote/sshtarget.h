#pragma once

#include "base/error.h"

#include <string>

namespace sweepscope::remote {

/// Where ssh connects to, and perhaps a folder there.
struct SshTarget {
    std::string destination;  ///< as ssh takes it: "ann@gpu1", or a host of ~/.ssh/config
    int port = 0;             ///< 0: what ssh's configuration says
    std::string folder;       ///< absolute, or relative to the home folder; may be empty

    bool operator==(const SshTarget &) const = default;
};

/// Parses "ssh://user@host:port/folder", "user@host" or "host". BadInput says what is wrong; a destination that ssh would
/// take for an option is wrong.
Expected<SshTarget> parseSshTarget(const std::string &text);
/// Returns "ssh://user@host:port/folder".
std::string toString(const SshTarget &target);

}  // namespace sweepscope::remote
