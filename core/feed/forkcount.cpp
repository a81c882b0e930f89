// SPDX-License-Identifier: MIT
#include "feed/forkcount.h"

#include <pthread.h>

namespace sweepscope::feed {

std::atomic<unsigned> detail::forks{0};

void countForks()
{
    static const int registered =
        ::pthread_atfork(nullptr, nullptr, [] { detail::forks.store(forkCount() + 1, std::memory_order_relaxed); });
    (void)registered;  // fails only for lack of memory
}

}  // namespace sweepscope::feed
