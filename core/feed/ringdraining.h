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
/// the log was truncated: a partial record at its end is removed too, and zeros, which are no valid record, replace the
/// missing bytes. Call it under a RingMapping::Guard.
Expected<std::uint64_t> moveToLog(const RingMapping &ring, std::uint64_t &drained, int log,
                                  const std::filesystem::path &logPath);

/// After the last writer: adds a final gap record to the ring, with the drops that no gap record has reported.
void reportLastDrops(const RingMapping &ring, const std::filesystem::path &ringPath) noexcept;

}  // namespace sweepscope::feed::draining
