// SPDX-License-Identifier: MIT
#pragma once

#include "feed/recordencoding.h"
#include "feed/ringmapping.h"

#include <cstddef>
#include <cstdint>

namespace sweepscope::feed {

/// The writing end of a ring, for the one who holds its writer's lock: records go in as a group and appear as a whole,
/// or are dropped as a whole. Counts what is dropped, and says so in a gap record before the next group that fits.
class RingTail {
public:
    /// Where the last writer ended.
    explicit RingTail(const RingMapping &ring) noexcept
        : m_ring(&ring),
          m_committed(ring.header().committed.load(std::memory_order_acquire)),
          m_position(m_committed),
          // Acquire: see fits().
          m_drainedSeen(ring.header().drained.load(std::memory_order_acquire))
    {}

    /// Relaxed: a flag alone, nothing is read that was written before it.
    bool fenced() const noexcept { return m_ring->header().fenced.load(std::memory_order_relaxed) != 0; }

    /// True: put() exactly `bytes`, then commit(). False: no room now; nothing happened.
    bool begin(std::size_t bytes, std::int64_t timeNs) noexcept
    {
        // Relaxed: both counters are our own.
        const std::uint64_t dropped = m_ring->header().dropped.load(std::memory_order_relaxed);
        const bool gap = m_ring->header().reported.load(std::memory_order_relaxed) != dropped;
        if (!fits(bytes + (gap ? encoding::gapBytes : 0)))
            return false;
        m_position = m_committed;
        if (gap) {
            encoding::putGap(*this, timeNs, dropped - m_ring->header().reported.load(std::memory_order_relaxed));
            m_ring->header().reported.store(dropped, std::memory_order_relaxed);
        }
        return true;
    }

    void put(std::uint64_t word) noexcept
    {
        m_ring->storeWord(m_position, word);
        m_position += wordBytes;
    }

    void commit() noexcept
    {
        m_committed = m_position;
        // Release: whoever sees this offset sees every word below it.
        m_ring->header().committed.store(m_committed, std::memory_order_release);
    }

    void countDrop() noexcept
    {
        // Load and store instead of an addition: there is one writer, and readers only want a recent figure.
        auto &dropped = m_ring->header().dropped;
        dropped.store(dropped.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

private:
    bool fits(std::size_t bytes) noexcept
    {
        if (m_committed + bytes - m_drainedSeen <= m_ring->capacity())
            return true;
        // Acquire: the agent has read the bytes below it before it stored it, so they may be overwritten from here on.
        m_drainedSeen = m_ring->header().drained.load(std::memory_order_acquire);
        return m_committed + bytes - m_drainedSeen <= m_ring->capacity();
    }

    const RingMapping *m_ring;
    std::uint64_t m_committed;
    std::uint64_t m_position;
    std::uint64_t m_drainedSeen;
};

}  // namespace sweepscope::feed
