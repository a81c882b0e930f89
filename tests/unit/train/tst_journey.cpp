#include "train/parallel/journey.h"

#include <doctest/doctest.h>

using namespace sweepscope::train;

TEST_CASE("timeUnderWayEndsWithTheJourney")
{
    CHECK(secondsUnderWay({}, 10) == 0);
    CHECK(secondsUnderWay({{1, 3}}, 10) == 2);
    CHECK(secondsUnderWay({{1, 30}}, 10) == 9);
    CHECK(secondsUnderWay({{11, 12}}, 10) == 0);
}

TEST_CASE("timeInWhichNothingIsUnderWayDoesNotCount")
{
    CHECK(secondsUnderWay({{1, 3}, {6, 7}, {9, 20}}, 10) == 4);
}

TEST_CASE("timeOfSeveralJourneysCountsOnce")
{
    CHECK(secondsUnderWay({{1, 8}, {2, 4}, {5, 9}}, 10) == 8);
}
