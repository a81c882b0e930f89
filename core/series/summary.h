#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sweepscope::series {

/// What a plot needs to know of any number of neighbouring samples. NaN and infinities are counted, and do not take
/// part in the rest.
struct alignas(64) Summary {  // one line of the processor's cache: a question looks at thousands of them
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double first = std::numeric_limits<double>::quiet_NaN();  ///< finite, or there is none
    double last = std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    std::uint64_t count = 0;
    std::uint64_t finite = 0;

    void add(double value)
    {
        ++count;
        if (!std::isfinite(value))
            return;
        if (finite++ == 0)
            first = value;
        last = value;
        min = std::min(min, value);
        max = std::max(max, value);
        sum += value;
    }

    /// `later` comes after everything that is in here.
    void add(const Summary &later)
    {
        // Without finite values the sums below change nothing, but first and last would be overwritten.
        if (later.finite != 0) {
            if (finite == 0)
                first = later.first;
            last = later.last;
        }
        count += later.count;
        min = std::min(min, later.min);
        max = std::max(max, later.max);
        sum += later.sum;
        finite += later.finite;
    }
};

}  // namespace sweepscope::series
