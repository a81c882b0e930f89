#include "train/parallel/journey.h"

#include <algorithm>
#include <limits>

namespace sweepscope::train {

double secondsUnderWay(const std::vector<Journey> &journeys, double until)
{
    double sum = 0;
    double counted = std::numeric_limits<double>::lowest();
    for (const Journey &journey : journeys) {
        const double from = std::max(journey.begin, counted);
        const double to = std::min(journey.end, until);
        if (from < to)
            sum += to - from;
        counted = std::max(counted, to);
    }
    return sum;
}

}  // namespace sweepscope::train
