#pragma once

#include <cstdint>

namespace sweepscope::series {

struct Sample {
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    double value = 0;

    bool operator==(const Sample &) const = default;
};

/// What the x axis shows: steps, seconds since 1970, or seconds since the series' origin.
enum class XAxis { Step, WallTime, RelativeTime };

}  // namespace sweepscope::series
