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

/// What the header says (acquire), also when somebody cuts the ring: then 0, and RingMapping::checkFile() tells.
std::uint64_t drainedOf(const RingMapping &ring) noexcept;
std::uint64_t committedOf(const RingMapping &ring) noexcept;

/// Whether the counters can be those of a ring whose `drained` was `drainedBefore` a moment ago.
bool isPossible(const RingMapping &ring, std::uint64_t drainedBefore) noexcept;

/// Append the ring's bytes from stream offset `from` on, at most `most`, to `bytes`, while its writer goes on writing.
/// `from` is not below what `drained` was a moment ago. Corrupt: the counters in the header are impossible, or somebody
/// cut the ring; nothing was copied.
Expected<RingCopy> copyFromRing(const RingMapping &ring, std::uint64_t from, std::uint64_t most,
                                std::vector<unsigned char> &bytes);

}  // namespace sweepscope::feed
