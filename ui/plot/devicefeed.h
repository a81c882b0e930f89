#pragma once

#include "base/clock.h"
#include "feed/feedreader.h"
#include "series/series.h"

#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sweepscope::ui {

/// The readings of some devices over some time, from the devices feed of their machine. The feed lives as long as the
/// workspace and drops its older part from time to time; this keeps what one trial needs. Ids of devices may end with the
/// machine's name.
class DeviceFeed {
public:
    DeviceFeed(const std::filesystem::path &file, std::vector<std::string> devices, WallNs from, WallNs to);

    /// Discards samples after `to` (0: no end yet). May only grow.
    void setEnd(WallNs to) { m_to = to; }
    /// Reads new records; returns true if it kept a sample.
    Expected<bool> poll(std::uint64_t maxBytes);

    const std::vector<std::string> &devices() const { return m_devices; }
    /// Finds "<device>.<quantity>"; null if it was never sampled.
    const series::Series *find(std::string_view device, std::string_view quantity) const;

private:
    class Collector;
    /// The part of a series that is kept.
    struct Wanted {
        series::Series *series;
        WallNs after;  ///< older samples are known already
    };
    void readAnew();

    std::filesystem::path m_file;
    feed::FeedReader m_reader;
    std::vector<std::string> m_devices;
    WallNs m_from;
    WallNs m_to;
    std::deque<series::Series> m_series;
    std::unordered_map<std::uint16_t, Wanted> m_wanted;
    bool m_readsAnew = false;
};

}  // namespace sweepscope::ui
