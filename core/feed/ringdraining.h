// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/ringmapping.h"

#include <cstdint>
#include <filesystem>

/// What a living agent and the one who cleans up after a dead one both do with a ring.
namespace sweepscope::feed::draining {

/// Append [drained, committed) to the log, whose size is `drained`, and advance both. Returns the bytes moved. On error
/// `drained` says how far it came. Corrupt when the rank has scribbled over its counters.
Expected<std::uint64_t> moveToLog(const RingMapping &ring, std::uint64_t &drained, int log,
                                  const std::filesystem::path &logPath);

/// When no writer is left: put the drops that no gap record has told into the ring, as its last record.
void tellLastDrops(const RingMapping &ring, const std::filesystem::path &ringPath) noexcept;

}  // namespace sweepscope::feed::draining
