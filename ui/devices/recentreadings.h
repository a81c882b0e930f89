#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "feed/feedreader.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sweepscope::ui {

struct TimedValue {
    WallNs time = 0;
    double value = 0;
    bool operator==(const TimedValue &) const = default;
};

/// A quantity of a device over the last minutes.
struct ReadingTrace {
    std::vector<TimedValue> points;  ///< in order of time; of what is drawn, else the last one alone
    std::optional<double> now;       ///< empty: it is not known any more, or never was
};

/// What is known of the machine's devices, as of the newest reading.
struct DeviceReadings {
    WallNs newest = 0;    ///< 0: nothing was ever read
    bool isWhole = true;  ///< false: older readings are still on their way
    std::string problem;  ///< why the file cannot be read; empty when it can
    std::map<std::string, std::map<std::string, ReadingTrace, std::less<>>, std::less<>> devices;
    std::map<std::string, std::string, std::less<>> leases;  ///< of GPUs, by whichever engine: "leased to …"

    /// Null: the device was never read, or not this of it.
    const ReadingTrace *find(std::string_view device, std::string_view quantity) const;
    std::optional<double> now(std::string_view device, std::string_view quantity) const;
};

/// How long is shown.
inline constexpr WallNs recentSpan = 5LL * 60 * 1'000'000'000;

/// Follows the host's devices feed and keeps the last minutes of it.
class RecentReadings {
public:
    explicit RecentReadings(std::filesystem::path file);

    /// Takes what is new; true when that is everything for now.
    bool poll(std::uint64_t maxBytes);
    DeviceReadings readings() const;

private:
    class Collector;
    struct Kept {
        std::string device;
        std::string quantity;
        std::deque<TimedValue> points;
    };
    std::optional<double> nowOf(const Kept &kept) const;

    std::filesystem::path m_file;
    feed::FeedReader m_reader;
    std::map<std::string, Kept> m_kept;                  ///< by the series' name
    std::unordered_map<std::uint16_t, Kept *> m_series;  ///< of the present declarations
    WallNs m_newest = 0;
    bool m_isWhole = false;
    std::string m_problem;
};

}  // namespace sweepscope::ui
