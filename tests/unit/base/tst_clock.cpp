#include "base/clock.h"

#include <doctest/doctest.h>

using sweepscope::toIso8601;

TEST_CASE("ISO 8601 text has nine fraction digits and is UTC")
{
    CHECK(toIso8601(0) == "1970-01-01T00:00:00.000000000Z");
    CHECK(toIso8601(1'000'000'001) == "1970-01-01T00:00:01.000000001Z");
    CHECK(toIso8601(1'795'208'867'123'456'789) == "2026-11-20T21:07:47.123456789Z");
}

TEST_CASE("a time before 1970 keeps its fraction positive")
{
    CHECK(toIso8601(-1) == "1969-12-31T23:59:59.999999999Z");
}
