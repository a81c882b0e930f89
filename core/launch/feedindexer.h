#pragma once

#include "base/workspacelayout.h"
#include "series/feedseries.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::launch {

/// Builds the indexes of all ranks' logs while they grow, so that showing the curves does not require reading the logs.
/// Reads what was just drained, and uses little memory. An index that cannot be written, or that another process
/// writes, is skipped: tidyAttempt() completes it.
class FeedIndexer {
public:
    FeedIndexer(const AttemptLayout &layout, int firstRank, int ranks);

    /// Indexes new data, for at most a few milliseconds.
    void advance();

private:
    std::vector<std::optional<series::FeedSeries>> m_feeds;
    std::size_t m_next = 0;  ///< round-robin start, so that no rank is always last
};

}  // namespace sweepscope::launch
