// SPDX-License-Identifier: MIT
#include "feed/logidentity.h"

#include "feed/recordencoding.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace sweepscope::feed {

std::optional<std::uint64_t> streamIdOfLog(int descriptor)
{
    std::array<unsigned char, maxPreambleBytes> untrusted{};
    std::size_t have = 0;
    while (have < untrusted.size()) {
        const ssize_t got =
            ::pread(descriptor, untrusted.data() + have, untrusted.size() - have, static_cast<off_t>(have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    RecordHeader header{};
    if (have < sizeof header)
        return std::nullopt;
    std::memcpy(&header, untrusted.data(), sizeof header);
    if (header.kind != RecordKind::Preamble || header.lengthOrStep > have)
        return std::nullopt;
    return encoding::streamId(untrusted.data(), header.lengthOrStep);
}

}  // namespace sweepscope::feed
