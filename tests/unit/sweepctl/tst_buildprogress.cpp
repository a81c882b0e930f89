#include "buildprogress.h"

#include <doctest/doctest.h>

using sweepscope::ctl::buildPercentage;

TEST_CASE("lines of Ninja and make have a percentage, others have none")
{
    CHECK(buildPercentage("[1/101] Building CXX object core/base/check.cpp.o") == 0);
    CHECK(buildPercentage("[50/100] Building CXX object core/base/check.cpp.o") == 50);
    CHECK(buildPercentage("[101/101] Linking CXX executable bin/sweepscope-worker") == 100);
    CHECK(buildPercentage("[  7%] Building CXX object core/base/check.cpp.o") == 7);
    CHECK(buildPercentage("[100%] Built target sweepscope-worker") == 100);
    for (const char *line : {"", "[", "[ ", "[12", "[12/", "[12/0]", "[3/2]", "[-1/2]", "[a/b]", "12%",
                             "-- Configuring done", "[99999999999999999999%]"})
        CHECK_FALSE(buildPercentage(line));
}
