#include "base/clock.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace sweepscope {

namespace {
constexpr WallNs nsPerSecond = 1'000'000'000;
}

WallNs wallNow() noexcept
{
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return static_cast<WallNs>(now.tv_sec) * nsPerSecond + now.tv_nsec;
}

std::string toIso8601(WallNs time)
{
    WallNs seconds = time / nsPerSecond;
    WallNs fraction = time % nsPerSecond;
    if (fraction < 0) {
        fraction += nsPerSecond;
        --seconds;
    }
    const auto whole = static_cast<std::time_t>(seconds);
    std::tm parts{};
    if (::gmtime_r(&whole, &parts) == nullptr)
        return {};
    std::array<char, 32> date{};
    const std::size_t length = std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::array<char, 16> tail{};
    std::snprintf(tail.data(), tail.size(), ".%09lldZ", static_cast<long long>(fraction));
    return std::string(date.data(), length) + tail.data();
}

}  // namespace sweepscope
