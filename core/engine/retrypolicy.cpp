#include "engine/retrypolicy.h"

#include <algorithm>

namespace sweepscope::engine {

std::chrono::milliseconds RetryPolicy::delayAfter(int failures) const
{
    std::chrono::milliseconds delay = firstDelay;
    for (int i = 1; i < failures && delay < longestDelay; ++i)
        delay *= 2;
    return std::min(delay, longestDelay);
}

}  // namespace sweepscope::engine
