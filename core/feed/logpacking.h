// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>

namespace sweepscope::feed {

struct PackedSizes {
    std::uint64_t before = 0;
    std::uint64_t after = 0;
};

/// Compress a finished log in place, without loss; for a time when nobody needs the processor. Readers that have it
/// open read on, those that open it later notice nothing. The new file takes the name when it is whole, on the disk and
/// has been compared with the old one, so this may be killed at any instant and called again. Unsupported: it is
/// compressed already, or so small that it would not pay; Unavailable: somebody is still writing it.
Expected<PackedSizes> packLog(const std::filesystem::path &logPath);

}  // namespace sweepscope::feed
