#pragma once

#include <vector>

namespace sweepscope::train {

/// When a bucket was on its way to the other ranks: seconds from any common beginning.
struct Journey {
    double begin = 0;
    double end = 0;
};

/// The time before `until` in which at least one of the journeys was under way. They are in the order in which they
/// began.
double secondsUnderWay(const std::vector<Journey> &journeys, double until);

}  // namespace sweepscope::train
