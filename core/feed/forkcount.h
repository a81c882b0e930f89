// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace sweepscope::feed {

namespace detail {
extern std::atomic<unsigned> forks;
}

/// From now on forkCount() counts. Call before the first comparison.
void countForks();

/// How many times this process and its ancestors have forked on the way here: differs between a writer and the copy of
/// it that a forked child inherits. Relaxed: only ever stored in a child that has one thread yet.
inline unsigned forkCount() noexcept
{
    return detail::forks.load(std::memory_order_relaxed);
}

}  // namespace sweepscope::feed
