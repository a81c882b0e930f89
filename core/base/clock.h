#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace sweepscope {

/// Wall time in nanoseconds since 1970-01-01 UTC: what feeds, events and the database store.
using WallNs = std::int64_t;

WallNs wallNow() noexcept;

/// Tells when the wall clock was set, by a person or by the network: what waits for a point in wall time moves with it.
class ClockChange {
public:
    ClockChange();
    /// Returns the change of the clock since the last call, negative for a change backwards, 0 if less than a second.
    /// Sleep of the machine does not count.
    WallNs take() noexcept;

private:
    WallNs m_offset;  ///< of the wall clock to the time since the machine was started
};

/// Handed to whatever decides by time, so that tests advance it instead of sleeping.
using WallClock = std::function<WallNs()>;

/// ISO 8601 in UTC with nine fraction digits, e.g. 2026-11-20T21:07:47.123456789Z. The same input gives the same bytes.
std::string toIso8601(WallNs time);

constexpr double toSeconds(WallNs duration) noexcept
{
    return static_cast<double>(duration) * 1e-9;
}

}  // namespace sweepscope
