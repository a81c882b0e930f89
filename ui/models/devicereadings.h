#pragma once

#include "base/clock.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::ui {

struct TimedValue {
    WallNs time = 0;
    double value = 0;
    bool operator==(const TimedValue &) const = default;
};

/// How far back the lines of cards go.
inline constexpr WallNs recentSpan = 5LL * 60 * 1'000'000'000;

/// The last minutes of the devices feed.
struct DeviceReadings {
    using Trace = std::deque<TimedValue>;  ///< in order of time

    WallNs newest = 0;       ///< 0: nothing was ever read
    bool isWhole = true;     ///< false: the file has more
    WallNs clockOffset = 0;  ///< the clock of their machine minus ours
    std::string problem;     ///< why the file cannot be read; empty if it can
    std::map<std::string, std::map<std::string, Trace, std::less<>>, std::less<>> devices;  ///< by id and quantity

    /// Drops points that are too old to be shown; of quantities without a line all but the new one.
    void add(const std::string &device, const std::string &quantity, TimedValue point);
    /// nullptr if the quantity was never read.
    const Trace *find(std::string_view device, std::string_view quantity) const;
    /// nullopt if the quantity was not read for some seconds, although it changes.
    std::optional<double> now(std::string_view device, std::string_view quantity) const;
    /// The mean over this time before the last reading, of a quantity that has a line; nullopt as now().
    std::optional<double> mean(std::string_view device, std::string_view quantity, WallNs span) const;
    /// Whether the engine is writing readings at present.
    bool isLive() const;
};

}  // namespace sweepscope::ui
