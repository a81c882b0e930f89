#include "launch/feedindexer.h"

#include <algorithm>

namespace sweepscope::launch {

namespace {

/// Per call: with a call every 20 ms, four times what a million points a second need.
constexpr std::uint64_t bytesAtOnce = 2 * 1024 * 1024;

}  // namespace

FeedIndexer::FeedIndexer(const AttemptLayout &layout, int firstRank, int ranks)
{
    for (int rank = firstRank; rank < firstRank + ranks; ++rank)
        m_feeds.emplace_back(
            series::FeedSeries({layout.rankFeed(rank), {}, layout.rankIndex(rank)}, series::IndexUse::Build));
}

void FeedIndexer::advance()
{
    std::uint64_t budget = bytesAtOnce;
    for (std::size_t i = 0; i < m_feeds.size() && budget > 0; ++i) {
        std::optional<series::FeedSeries> &feed = m_feeds[m_next];
        m_next = (m_next + 1) % m_feeds.size();
        if (!feed)
            continue;
        const std::uint64_t before = feed->readBytes();
        if (!feed->poll(budget))
            feed.reset();
        else
            budget -= std::min(budget, feed->readBytes() - before);
    }
}

}  // namespace sweepscope::launch
