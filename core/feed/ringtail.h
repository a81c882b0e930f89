// SPDX-License-Identifier: MIT
#pragma once

#include "feed/dropaccount.h"
#include "feed/recordencoding.h"
#include "feed/ringstretch.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace sweepscope::feed {

/// The writing end of a ring, for the one who holds its writer's lock and one thread at a time: records go in as a
/// group and appear as a whole, or not at all. What any thread counts as dropped is told in a gap record before the
/// next group.
class RingTail {
public:
    /// Where the last writer ended.
    explicit RingTail(const RingMapping &ring) noexcept
        : m_ring(&ring), m_committed(ring.header().committed.load(std::memory_order_acquire))
    {
        drops::forgetUncommittedGap(ring.header());
    }

    /// True: put() exactly `bytes` into `stretch`, then commit() it. False: no room now; nothing happened.
    bool begin(std::size_t bytes, std::int64_t timeNs, RingStretch &stretch) noexcept
    {
        stretch = RingStretch(*m_ring, m_committed);
        // Relaxed: only this thread raises it.
        return m_committed + bytes <= m_limit.load(std::memory_order_relaxed) || makeRoom(bytes, timeNs, stretch);
    }

    void commit(const RingStretch &stretch) noexcept
    {
        m_committed = stretch.position();
        // Release: whoever sees this offset sees every word below it.
        m_ring->header().committed.store(m_committed, std::memory_order_release);
    }

    /// One point where nothing has to be looked at or told before: all that most points need. False: nothing happened,
    /// take the way over begin().
    [[gnu::always_inline]] bool appendPlainPoint(const Point &point) noexcept
    {
        const std::uint64_t at = m_committed;
        // Relaxed: only this thread raises it.
        if (at + pointBytes > m_limit.load(std::memory_order_relaxed))
            return false;
        const RingMapping &ring = *m_ring;
        ring.storeWord(at, encoding::pointWord(point));
        ring.storeWord(at + wordBytes, static_cast<std::uint64_t>(point.timeNs));
        ring.storeWord(at + 2 * wordBytes, std::bit_cast<std::uint64_t>(point.value));
        m_committed = at + pointBytes;
        ring.header().committed.store(at + pointBytes, std::memory_order_release);  // as in commit()
        return true;
    }

    /// Any thread, any time.
    void countDrop() noexcept
    {
        drops::count(m_ring->header(), 1);
        m_limit.store(0, std::memory_order_release);  // after the count, which the next group tells first
    }

    std::uint64_t committed() const noexcept { return m_committed; }

private:
    [[gnu::noinline]] bool makeRoom(std::size_t bytes, std::int64_t timeNs, RingStretch &stretch) noexcept
    {
        RingHeader &header = m_ring->header();
        // Acquire: the agent has read the bytes below it before it stored it, so they may be overwritten from here on.
        const std::uint64_t limit = header.drained.load(std::memory_order_acquire) + m_ring->capacity();
        m_limit.store(limit, std::memory_order_relaxed);  // before the look at the drops: see countDrop()
        const std::uint64_t dropped = drops::untold(header);
        if (m_committed + bytes + (dropped != 0 ? encoding::gapBytes : 0) > limit) {
            m_limit.store(0, std::memory_order_relaxed);
            return false;
        }
        if (dropped != 0) {
            drops::noteGap(header, m_committed, dropped);
            encoding::putGap(stretch, timeNs, dropped);
        }
        return true;
    }

    const RingMapping *m_ring;
    std::uint64_t m_committed;
    /// The offset up to which may be written without a look at the header; 0 when there is something to tell first.
    std::atomic<std::uint64_t> m_limit{0};
};

}  // namespace sweepscope::feed
