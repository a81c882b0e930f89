// SPDX-License-Identifier: MIT
#include "feed/ringreading.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace sweepscope::feed {

namespace {

tl::unexpected<Error> impossible(std::uint64_t from, std::uint64_t drained, std::uint64_t committed)
{
    return makeError(ErrorCode::Corrupt, "the ring is damaged at offset " + std::to_string(from)
                                             + ": its counters say that " + std::to_string(committed)
                                             + " bytes were written and " + std::to_string(drained)
                                             + " saved; everything before it was read");
}

}  // namespace

std::uint64_t drainedOf(const RingMapping &ring) noexcept
{
    const RingMapping::Guard guard(ring);
    return ring.header().drained.load(std::memory_order_acquire);
}

std::uint64_t committedOf(const RingMapping &ring) noexcept
{
    const RingMapping::Guard guard(ring);
    return ring.header().committed.load(std::memory_order_acquire);
}

bool isPossible(const RingMapping &ring, std::uint64_t drainedBefore) noexcept
{
    const std::uint64_t committed = committedOf(ring);
    const std::uint64_t drained = drainedOf(ring);  // later, so the writer cannot be further ahead of it
    return committed % wordBytes == 0 && drainedBefore <= committed && committed <= maxStreamBytes
           && (drained >= committed || committed - drained <= ring.capacity());
}

Expected<RingCopy> copyFromRing(const RingMapping &ring, std::uint64_t from, std::uint64_t most,
                                std::vector<unsigned char> &bytes)
{
    const RingMapping::Guard guard(ring);
    const RingHeader &header = ring.header();
    // Acquire: the words below it are there.
    const std::uint64_t committed = header.committed.load(std::memory_order_acquire);
    if (committed % wordBytes != 0 || committed < from || committed > maxStreamBytes) {
        bool unlinked = false;
        if (auto whole = ring.checkFile(unlinked); !whole)
            return tl::unexpected(whole.error());
        return impossible(from, header.drained.load(std::memory_order_acquire), committed);
    }

    const std::uint64_t to = std::min(committed, from + std::min(most, ring.capacity()));
    const std::size_t kept = bytes.size();
    bytes.resize(kept + (to - from));
    unsigned char *out = bytes.data() + kept;
    for (std::uint64_t at = from; at < to;) {
        const std::uint64_t word = ring.loadWord(at);
        const std::size_t skip = at % wordBytes;  // not 0 only where a full disk stopped the drain inside a word
        const std::size_t part = std::min<std::uint64_t>(wordBytes - skip, to - at);
        std::memcpy(out, reinterpret_cast<const unsigned char *>(&word) + skip, part);
        out += part;
        at += part;
    }

    // The acquire loads above keep this one after them. If the drain has passed `from`, the writer may have been there
    // as well, and the log has the bytes.
    const std::uint64_t drained = header.drained.load(std::memory_order_acquire);
    // What was cut off in the middle of a page reads as zeros without further ado.
    bool unlinked = false;
    if (auto whole = ring.checkFile(unlinked); !whole) {
        bytes.resize(kept);
        return tl::unexpected(whole.error());
    }
    if (drained > from) {
        bytes.resize(kept);
        return RingCopy::Overtaken;
    }
    if (committed - drained > ring.capacity()) {
        bytes.resize(kept);
        return impossible(from, drained, committed);
    }
    return RingCopy::Good;
}

}  // namespace sweepscope::feed
