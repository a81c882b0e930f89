#include "sweep/duration.h"

#include <doctest/doctest.h>

using namespace sweepscope::sweep;
using std::chrono::seconds;

TEST_CASE("durations are read with their units")
{
    CHECK(parseDuration("90s") == seconds(90));
    CHECK(parseDuration("10m") == seconds(600));
    CHECK(parseDuration("1h30m") == seconds(5400));
    CHECK(parseDuration("2d 12h") == seconds(216'000));
    CHECK(parseDuration("0s") == seconds(0));
}

TEST_CASE("invalid durations are refused")
{
    for (const char *text : {"", " ", "10", "m", "10 minutes", "30m1h", "1h1h", "-5m", "1.5h", "10m ago",
                             "99999999999999d", "9223372036854775807s", "9223372036854775808s"}) {
        INFO(text);
        CHECK_FALSE(parseDuration(text).has_value());
    }
}

TEST_CASE("a formatted duration is short and can be parsed again")
{
    CHECK(toText(seconds(5400)) == "1h30m");
    CHECK(toText(seconds(86'401)) == "1d1s");
    CHECK(toText(seconds(0)) == "0s");
    for (const int count : {1, 59, 60, 3599, 3600, 86'399, 86'400, 1'000'000})
        CHECK(parseDuration(toText(seconds(count))) == seconds(count));
}
