#include "train/parallel/journey.h"

#include <algorithm>

namespace sweepscope::train {

double secondsUnderWay(const std::vector<Journey> &journeys, Journey::Clock::time_point until)
{
    Journey::Clock::duration sum{};
    Journey::Clock::time_point counted = Journey::Clock::time_point::min();
    for (const Journey &journey : journeys) {
        const auto from = std::max(journey.begin, counted);
        const auto to = std::min(journey.end, until);
        if (from < to)
            sum += to - from;
        counted = std::max(counted, to);
    }
    return std::chrono::duration<double>(sum).count();
}

}  // namespace sweepscope::train
