// SPDX-License-Identifier: MIT
#pragma once

#include "feed/records.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sweepscope::feed {

/// The table record of sweepscope_feed.h: what a stream has said so far that its rest depends on.
struct LogTable {
    std::int64_t stepBase = 0;
    std::vector<SeriesDeclaration> series;
};

/// The whole record. Empty if it would be too long for one.
std::string encodeTable(const LogTable &table);

/// None if the bytes do not start with one.
std::optional<LogTable> decodeTable(std::span<const unsigned char> untrusted);

}  // namespace sweepscope::feed
