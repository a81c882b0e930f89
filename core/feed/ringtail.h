// SPDX-License-Identifier: MIT
#pragma once

#include "feed/dropaccount.h"
#include "feed/recordencoding.h"
#include "feed/ringstretch.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sweepscope::feed {

/// The writing end of a ring, for the process that holds its writer's lock, from as many threads as it likes and without
/// a lock: each reserves its own stretch of the stream, fills it, and leaves. The last to leave commits everything
/// reserved, so a thread stopped in the middle delays what readers see, but never the other threads. A signal handler
/// may enter again on the same thread.
///
///     m_state:   56 bits: words of the stream that are reserved | 8 bits: threads that are filling theirs
class RingTail {
public:
    /// Where the last writer ended.
    explicit RingTail(const RingMapping &ring) noexcept
        : m_ring(&ring), m_state(ring.header().committed.load(std::memory_order_acquire) / wordBytes << filling)
    {
        drops::discardUncommittedGap(ring.header());
    }

    /// True: put() exactly `bytes` into `stretch`, then commit(). False: no room now; nothing happened.
    bool begin(std::size_t bytes, std::int64_t timeNs, RingStretch &stretch) noexcept
    {
        RingHeader &header = m_ring->header();
        const bool reportsGap = beginGap(header);
        const std::uint64_t all = bytes + (reportsGap ? encoding::gapBytes : 0);
        std::uint64_t position = 0;
        const bool reserved = reserve(all, position);
        stretch = RingStretch(*m_ring, position);
        if (reportsGap) {
            if (reserved) {
                // `committed` cannot pass the gap record before this thread leaves.
                const std::uint64_t dropped = drops::unreported(header);
                drops::noteGap(header, position, dropped);
                encoding::putGap(stretch, timeNs, dropped);
            }
            m_reportingGap.store(false, std::memory_order_release);  // the next one sees what noteGap() stored
        }
        return reserved;
    }

    void commit() noexcept
    {
        // Acquire: the committing thread sees what the others put before they left.
        std::uint64_t state = m_state.load(std::memory_order_acquire);
        do {
            // Alone: everything reserved is filled. No other thread gets here before this one leaves, so `committed`
            // never goes back. Release: a reader that sees this offset sees every word below it.
            if ((state & maxFilling) == 1)
                m_ring->header().committed.store((state >> filling) * wordBytes, std::memory_order_release);
            // Release: publish what was put. A thread that entered meanwhile commits it, or makes us try again.
        } while (
            !m_state.compare_exchange_weak(state, state - 1, std::memory_order_acq_rel, std::memory_order_acquire));
    }

    /// A gap record before the next record that fits reports the dropped ones.
    void countDrop() noexcept { drops::count(m_ring->header(), 1); }

private:
    static constexpr unsigned filling = 8;
    static constexpr std::uint64_t maxFilling = 0xff;

    /// Returns whether this thread must report the dropped records.
    bool beginGap(const RingHeader &header) noexcept
    {
        if (drops::unreported(header) == 0 || m_reportingGap.exchange(true, std::memory_order_acquire))
            return false;
        if (drops::unreported(header) != 0)
            return true;
        m_reportingGap.store(false, std::memory_order_release);
        return false;
    }

    bool reserve(std::uint64_t bytes, std::uint64_t &position) noexcept
    {
        std::uint64_t state = m_state.load(std::memory_order_relaxed);
        do {
            position = (state >> filling) * wordBytes;
            if ((state & maxFilling) == maxFilling || !fits(position + bytes))
                return false;
            // Acquire: together with the release in commit() a thread's stores stay inside its stay.
        } while (!m_state.compare_exchange_weak(state, state + (bytes / wordBytes << filling) + 1,
                                                std::memory_order_acquire, std::memory_order_relaxed));
        return true;
    }

    bool fits(std::uint64_t end) noexcept
    {
        // Acquire, both: the agent has read the bytes below `drained` before it stored it, and that holds for every
        // thread that takes the figure from here.
        if (end <= m_limit.load(std::memory_order_acquire))
            return true;
        const std::uint64_t limit = m_ring->header().drained.load(std::memory_order_acquire) + m_ring->capacity();
        m_limit.store(limit, std::memory_order_release);
        return end <= limit;
    }

    const RingMapping *m_ring;
    alignas(64) std::atomic<std::uint64_t> m_state;
    std::atomic<std::uint64_t> m_limit{0};
    std::atomic<bool> m_reportingGap{false};
};

}  // namespace sweepscope::feed
