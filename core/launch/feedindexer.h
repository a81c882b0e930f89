#pragma once

#include "base/workspacelayout.h"
#include "series/feedseries.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::launch {

/// Builds the indexes of all ranks' logs while they grow, so that nobody who wants to see the curves has to read the
/// logs. It reads what the drain has just written, and keeps little in memory. An index that cannot be written, or is
/// written by somebody else, is left alone: tidyAttempt() completes it.
class FeedIndexer {
public:
    FeedIndexer(const AttemptLayout &layout, int ranks);

    /// Take what is new, for a few milliseconds at most.
    void advance();

private:
    std::vector<std::optional<series::FeedSeries>> m_feeds;
    std::size_t m_next = 0;  ///< who is first, so that nobody is always last
};

}  // namespace sweepscope::launch
