#pragma once

#include "sweep/sweepspec.h"

#include <cmath>

namespace sweepscope::sweep {

/// Whether an objective of `value` is better than one of `than`. NaN and infinities are results of a training that
/// diverged: all finite values are better, and none of them is better than another.
inline bool isBetterObjective(double value, double than, Goal goal)
{
    if (!std::isfinite(value) || !std::isfinite(than))
        return std::isfinite(value) && !std::isfinite(than);
    return goal == Goal::Minimize ? value < than : value > than;
}

}  // namespace sweepscope::sweep
