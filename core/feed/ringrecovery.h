// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>

namespace sweepscope::feed {

/// Finish the work of an agent that died: append to the log whatever the ring holds beyond it, then remove the ring.
/// Safe to repeat and to be killed in. NotFound when there is no ring (nothing to do). If the log was truncated,
/// continues behind the missing bytes, as RingDrain::drain() does.
Expected<std::uint64_t> recoverRing(const std::filesystem::path &ringPath, const std::filesystem::path &logPath);

}  // namespace sweepscope::feed
