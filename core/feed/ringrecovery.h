// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>

namespace sweepscope::feed {

/// Finishes the work of a killed agent: appends the remaining bytes of the ring to the log, then removes the ring. Can
/// be repeated or killed at any point. NotFound if there is no ring (nothing to do). If the log was truncated,
/// continues after the missing bytes, as RingDrain::drain() does.
Expected<std::uint64_t> recoverRing(const std::filesystem::path &ringPath, const std::filesystem::path &logPath);

}  // namespace sweepscope::feed
