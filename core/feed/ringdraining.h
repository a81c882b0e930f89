// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/ringmapping.h"

#include <cstdint>
#include <filesystem>

/// What a living agent and the one who cleans up after a dead one both do with a ring.
namespace sweepscope::feed::draining {

/// Append [drained, committed) to the log, and advance both. Returns the bytes moved. On error `drained` says how far it
/// came. Corrupt when the rank has scribbled over its counters, or cut the ring. If the log is shorter than `drained`,
/// somebody has cut it: what is left of a record at its end goes too, and zeros, which no record is, take the place of
/// what is missing. Call it under a RingMapping::Guard.
Expected<std::uint64_t> moveToLog(const RingMapping &ring, std::uint64_t &drained, int log,
                                  const std::filesystem::path &logPath);

/// When no writer is left: put the drops that no gap record has told into the ring, as its last record.
void tellLastDrops(const RingMapping &ring, const std::filesystem::path &ringPath) noexcept;

}  // namespace sweepscope::feed::draining
