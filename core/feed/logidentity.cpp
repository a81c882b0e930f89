// SPDX-License-Identifier: MIT
#include "feed/logidentity.h"

#include "feed/recordencoding.h"

#include <array>
#include <cstring>

namespace sweepscope::feed {

std::optional<std::uint64_t> streamIdOfLog(LogFile &log)
{
    std::array<unsigned char, maxPreambleBytes> untrusted{};
    const auto have = log.read(0, untrusted);
    RecordHeader header{};
    if (!have || *have < sizeof header)
        return std::nullopt;
    std::memcpy(&header, untrusted.data(), sizeof header);
    if (header.kind != RecordKind::Preamble || header.lengthOrStep > *have)
        return std::nullopt;
    return encoding::streamId(untrusted.data(), header.lengthOrStep);
}

}  // namespace sweepscope::feed
