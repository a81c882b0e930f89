#include "train/parallel/journey.h"

#include <doctest/doctest.h>

using namespace sweepscope::train;
using std::chrono::seconds;

namespace {

Journey journey(int begin, int end)
{
    return {Journey::Clock::time_point(seconds(begin)), Journey::Clock::time_point(seconds(end))};
}

double underWay(const std::vector<Journey> &journeys, int until)
{
    return secondsUnderWay(journeys, Journey::Clock::time_point(seconds(until)));
}

}  // namespace

TEST_CASE("timeUnderWayEndsWithTheJourney")
{
    CHECK(underWay({}, 10) == 0);
    CHECK(underWay({journey(1, 3)}, 10) == 2);
    CHECK(underWay({journey(1, 30)}, 10) == 9);
    CHECK(underWay({journey(11, 12)}, 10) == 0);
}

TEST_CASE("timeInWhichNothingIsUnderWayDoesNotCount")
{
    CHECK(underWay({journey(1, 3), journey(6, 7), journey(9, 20)}, 10) == 4);
}

TEST_CASE("timeOfSeveralJourneysCountsOnce")
{
    CHECK(underWay({journey(1, 8), journey(2, 4), journey(5, 9)}, 10) == 8);
}
