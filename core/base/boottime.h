#pragma once

#include <cstdint>
#include <ctime>

namespace sweepscope {

/// Nanoseconds since the machine was started, its sleep included. Setting the wall clock does not change it, and all
/// processes have it in common.
inline std::int64_t sinceBoot() noexcept
{
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace sweepscope
