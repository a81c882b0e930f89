// SPDX-License-Identifier: MIT
#pragma once

#include "feed/format.h"

#include <cstdint>

/// How many records were dropped, and how many of them committed gap records have reported. Exact at any time, so that
/// a writer may be killed between any two stores: a gap record counts as soon as `committed` passes it; until then
/// reported() returns `reported`.
namespace sweepscope::feed::drops {

// Relaxed everywhere: only the writing process stores these, and what they say about a gap record takes effect through
// `committed`, which is stored later, with release.

inline std::uint64_t reported(const RingHeader &header) noexcept
{
    const bool committed =
        header.gapAt.load(std::memory_order_relaxed) < header.committed.load(std::memory_order_relaxed);
    return committed ? header.gapTotal.load(std::memory_order_relaxed)
                     : header.reported.load(std::memory_order_relaxed);
}

/// What the next gap record has to tell. None while one is on its way.
inline std::uint64_t unreported(const RingHeader &header) noexcept
{
    const std::uint64_t dropped = header.dropped.load(std::memory_order_relaxed);
    const bool onItsWay =
        header.gapAt.load(std::memory_order_relaxed) >= header.committed.load(std::memory_order_relaxed);
    return onItsWay ? 0 : dropped - header.gapTotal.load(std::memory_order_relaxed);
}

/// Notes that a gap record with `count` is written at `offset`, which is not committed yet.
inline void noteGap(RingHeader &header, std::uint64_t offset, std::uint64_t count) noexcept
{
    const std::uint64_t before = header.gapTotal.load(std::memory_order_relaxed);
    header.reported.store(before, std::memory_order_relaxed);
    // Release: a kill keeps the order of stores, and so must the compiler and a reader on another core.
    header.gapAt.store(offset, std::memory_order_release);
    header.gapTotal.store(before + count, std::memory_order_release);
}

/// For a new writer: its predecessor's last gap record may never have been committed.
inline void discardUncommittedGap(RingHeader &header) noexcept
{
    header.gapTotal.store(reported(header), std::memory_order_relaxed);
    header.gapAt.store(0, std::memory_order_release);  // after gapTotal, see noteGap()
}

inline void count(RingHeader &header, std::uint64_t records) noexcept
{
    header.dropped.fetch_add(records, std::memory_order_relaxed);
}

}  // namespace sweepscope::feed::drops
