#include "launch/eventmetrics.h"

#include <doctest/doctest.h>

using sweepscope::launch::isWrittenBy;

TEST_CASE("the name of an event file has the id of its process")
{
    const std::set<pid_t> ours{100, 200};
    CHECK(isWrittenBy("events.out.tfevents.1700000000.host.100.0", ours));
    CHECK(isWrittenBy("events.out.tfevents.1700000000.host.example.org.200.3.v2", ours));
    CHECK_FALSE(isWrittenBy("events.out.tfevents.1700000000.host.101.0", ours));
    CHECK_FALSE(isWrittenBy("events.out.tfevents.100.host.101.0", ours));  // the time
    CHECK_FALSE(isWrittenBy("events.out.tfevents.1700000000.host.101.0.v2", ours));
}

TEST_CASE("a name without process ids may be of any process")
{
    CHECK(isWrittenBy("events.out.tfevents.1700000000.host", {}));
    CHECK(isWrittenBy("events.out.tfevents.1700000000", {}));
    CHECK(isWrittenBy("events.out.tfevents.1700000000.host-7.example", {}));
    CHECK_FALSE(isWrittenBy("notes.txt", {}));
}
