#pragma once

#include <chrono>

namespace sweepscope::engine {

/// When a trial whose attempt failed or was lost gets a further one.
struct RetryPolicy {
    int retries = 0;  ///< further attempts at most (run.retries)
    std::chrono::milliseconds firstDelay{1000};
    std::chrono::milliseconds longestDelay{30'000};

    bool mayRetry(int failures) const { return failures <= retries; }
    /// Doubles with each failure: what failed for want of memory or a port often works a little later.
    std::chrono::milliseconds delayAfter(int failures) const;
};

}  // namespace sweepscope::engine
