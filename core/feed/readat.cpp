// SPDX-License-Identifier: MIT
#include "feed/readat.h"

#include <cerrno>
#include <unistd.h>

namespace sweepscope::feed {

Expected<std::size_t> readAt(int file, std::uint64_t from, std::span<unsigned char> out)
{
    std::size_t have = 0;
    while (have < out.size()) {
        const ssize_t got = ::pread(file, out.data() + have, out.size() - have, static_cast<off_t>(from + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return makeErrnoError("cannot read the telemetry log", errno);
        if (got == 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    return have;
}

}  // namespace sweepscope::feed
