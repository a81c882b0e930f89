#include "base/clock.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace sweepscope {

namespace {
constexpr WallNs nsPerSecond = 1'000'000'000;

WallNs readClock(clockid_t clock) noexcept
{
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<WallNs>(now.tv_sec) * nsPerSecond + now.tv_nsec;
}

WallNs wallOffset() noexcept
{
    return wallNow() - readClock(CLOCK_BOOTTIME);
}
}  // namespace

WallNs wallNow() noexcept
{
    return readClock(CLOCK_REALTIME);
}

ClockChange::ClockChange() : m_offset(wallOffset()) {}

WallNs ClockChange::take() noexcept
{
    const WallNs change = wallOffset() - m_offset;
    if (change > -nsPerSecond && change < nsPerSecond)
        return 0;
    m_offset += change;
    return change;
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
