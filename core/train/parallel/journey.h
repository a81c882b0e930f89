#pragma once

#include <chrono>
#include <vector>

namespace sweepscope::train {

/// When a bucket was on its way to the other ranks.
struct Journey {
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin{};
    Clock::time_point end{};
};

/// The time before `until` in which at least one of the journeys was under way. They are in the order in which they
/// began.
double secondsUnderWay(const std::vector<Journey> &journeys, Journey::Clock::time_point until);

}  // namespace sweepscope::train
