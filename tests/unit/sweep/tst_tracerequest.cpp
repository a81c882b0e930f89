#include "sweep/tracerequest.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

TEST_CASE("a request for a trace is read as it was written")
{
    const auto request = traceRequestFromJson(toJson(TraceRequest{1'700'000'000'123'456'789, 25}));
    REQUIRE(request);
    CHECK(request->time == 1'700'000'000'123'456'789);
    CHECK(request->steps == 25);
}

TEST_CASE("what is no request for a trace is an error")
{
    for (const char *text : {"", "[]", "{", "{\"steps\": 10}", "{\"time\": 1, \"steps\": 0}",
                             "{\"time\": 1, \"steps\": 1001}", "{\"time\": 1, \"steps\": 2.5}"}) {
        CAPTURE(text);
        REQUIRE(!traceRequestFromJson(text));
        CHECK(traceRequestFromJson(text).error().code == ErrorCode::Corrupt);
    }
}
