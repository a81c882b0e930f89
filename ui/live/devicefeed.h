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

/// What the host's devices feed says about some devices over some time. The feed is written for as long as the workspace
/// lives, and loses its older part from time to time; this keeps what one trial needs of it.
class DeviceFeed {
public:
    DeviceFeed(const std::filesystem::path &file, std::vector<std::string> devices, WallNs from, WallNs to);

    /// Samples after `to` are not kept (0: no end yet). May grow, not shrink.
    void setEnd(WallNs to) { m_to = to; }
    /// Take what is new; true when something was kept.
    Expected<bool> poll(std::uint64_t maxBytes);

    const std::vector<std::string> &devices() const { return m_devices; }
    /// "<device>.<quantity>"; null when it was never sampled.
    const series::Series *find(std::string_view device, std::string_view quantity) const;

private:
    class Collector;
    /// Of a series of the feed, what is kept.
    struct Wanted {
        series::Series *series;
        WallNs after;  ///< what is older is known already
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
