#pragma once

#include <chrono>
#include <ctime>

namespace sweepscope {

/// How long this machine has been suspended since it started.
inline std::chrono::nanoseconds timeAsleep() noexcept
{
    const auto timeOf = [](clockid_t clock) {
        timespec now{};
        ::clock_gettime(clock, &now);
        return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
    };
    return timeOf(CLOCK_BOOTTIME) - timeOf(CLOCK_MONOTONIC);
}

/// After a shorter sleep, a connection continues as usual.
inline constexpr std::chrono::seconds sleepThatCounts{2};

}  // namespace sweepscope
