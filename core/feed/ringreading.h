// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/ringmapping.h"

#include <cstdint>
#include <vector>

namespace sweepscope::feed {

enum class RingCopy {
    Good,
    Overtaken  ///< the drain passed `from` meanwhile: nothing was copied, the log has the bytes
};

/// Returns the header's counter (acquire); 0 if the ring was truncated, which RingMapping::checkFile() reports.
std::uint64_t drainedOf(const RingMapping &ring) noexcept;
std::uint64_t committedOf(const RingMapping &ring) noexcept;

/// Whether the counters can be those of a ring whose `drained` was `drainedBefore` a moment ago.
bool isPossible(const RingMapping &ring, std::uint64_t drainedBefore) noexcept;

/// Appends at most `most` of the ring's bytes from stream offset `from` to `bytes`; its writer may write meanwhile.
/// `from` must not be below a value of `drained` that was just read. Corrupt: the header's counters are impossible, or
/// the ring was truncated; nothing was copied.
Expected<RingCopy> copyFromRing(const RingMapping &ring, std::uint64_t from, std::uint64_t most,
                                std::vector<unsigned char> &bytes);

}  // namespace sweepscope::feed
