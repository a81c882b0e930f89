#pragma once

#include "feed/feedreader.h"
#include "series/series.h"

#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sweepscope::series {

/// All series of one feed, kept up to date by poll(). What plots, the engine's objective and the exporters read.
class FeedSeries {
public:
    explicit FeedSeries(feed::FeedReader reader);

    /// Take what is new. Returns the number of records; an error stays and what was read before it stays usable.
    Expected<std::uint64_t> poll(std::uint64_t maxBytes = 16 * 1024 * 1024);

    /// In order of declaration. References stay valid while this object lives.
    const std::deque<Series> &all() const { return m_series; }
    /// Null when the feed has declared no such series (yet).
    const Series *find(std::string_view name) const;
    const std::vector<feed::Event> &events() const { return m_events; }
    const feed::Preamble &preamble() const { return m_preamble; }
    std::uint64_t droppedRecords() const { return m_dropped; }

private:
    class Collector;
    feed::FeedReader m_reader;
    std::deque<Series> m_series;
    std::unordered_map<std::uint16_t, std::size_t> m_byId;
    std::vector<feed::Event> m_events;
    feed::Preamble m_preamble;
    std::uint64_t m_dropped = 0;
};

}  // namespace sweepscope::series
