#pragma once

#include "base/clock.h"

#include <cmath>
#include <cstdint>
#include <limits>

/// Feeds may contain any number, so computations with them must be defined for all numbers.
namespace sweepscope::diagnosis {

/// later - earlier; the largest duration that there is where that has no room.
inline WallNs difference(WallNs later, WallNs earlier)
{
    WallNs result = 0;
    if (!__builtin_sub_overflow(later, earlier, &result))
        return result;
    return later > earlier ? std::numeric_limits<WallNs>::max() : std::numeric_limits<WallNs>::min();
}

/// Returns the integer nearest to `value`; 0 for NaN.
inline std::int64_t toWhole(double value)
{
    constexpr double most = 9223372036854774784.0;  // the last double below 2^63
    return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::fmax(-most, std::fmin(most, value)));
}

}  // namespace sweepscope::diagnosis
