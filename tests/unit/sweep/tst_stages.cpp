#include "sweep/stages.h"

#include <doctest/doctest.h>

using sweepscope::sweep::assignStages;

TEST_CASE("stagesShareTheParametersEvenly")
{
    using Stages = std::vector<std::size_t>;
    CHECK(assignStages({10, 10, 10, 10}, 2) == Stages{0, 0, 1, 1});
    CHECK(assignStages({100, 1, 1, 1}, 2) == Stages{0, 1, 1, 1});
    CHECK(assignStages({1, 1, 100}, 3) == Stages{0, 1, 2});
    CHECK(assignStages({0, 5, 0, 5}, 1) == Stages{0, 0, 0, 0});
    CHECK(assignStages({5}, 3) == Stages{0});
}
