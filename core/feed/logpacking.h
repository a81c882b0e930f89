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

/// Compresses a finished log in place, without loss; call it while the processor is idle. Readers that have the log
/// open continue with the old file; later ones see no difference. The new file takes the name once it is complete,
/// synced and compared with the old one, so a call may be killed at any instant and repeated. Unsupported: the log is
/// compressed already, or too small to gain from it. Unavailable: a process is still writing it.
Expected<PackedSizes> packLog(const std::filesystem::path &logPath);

}  // namespace sweepscope::feed
