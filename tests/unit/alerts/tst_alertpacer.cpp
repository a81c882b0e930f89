#include "alerts/alertpacer.h"

#include <doctest/doctest.h>

using namespace sweepscope::alerts;
using namespace std::chrono_literals;

namespace {

Alert failed(int trial, std::int64_t sweep = 1)
{
    return {AlertKind::TrialFailed, sweep, "many", trial, 1, 0, {}, "IndexError in train.py:6"};
}

}  // namespace

TEST_CASE("further failures are sent together, a minute after the first")
{
    AlertPacer pacer;
    const AlertPacer::Time start{};
    pacer.add(failed(1));
    std::vector<Alert> told = pacer.take(start);
    REQUIRE(told.size() == 1);
    CHECK(titleOf(told[0]) == "many: trial 1 failed");
    for (int trial = 2; trial <= 13; ++trial)
        pacer.add(failed(trial));
    CHECK(pacer.take(start + 59s).empty());
    CHECK_FALSE(pacer.isEmpty());
    told = pacer.take(start + 60s);
    REQUIRE(told.size() == 1);
    CHECK(titleOf(told[0]) == "many: 12 trials failed");
    CHECK(told[0].text == "IndexError in train.py:6");
    CHECK(pacer.isEmpty());
}

TEST_CASE("other sweeps and other kinds do not wait for each other")
{
    AlertPacer pacer;
    const AlertPacer::Time start{};
    pacer.add(failed(1));
    pacer.take(start);
    pacer.add(failed(1, 2));
    pacer.add({AlertKind::SweepEnded, 1, "many", 0, 1, 0, {}, "3 completed"});
    CHECK(pacer.take(start + 1s).size() == 2);
}

TEST_CASE("the end of a sweep sends the alerts that wait")
{
    AlertPacer pacer;
    const AlertPacer::Time start{};
    const auto best = [](const char *value) { return Alert{AlertKind::NewBest, 1, "many", 7, 1, 0, {}, value}; };
    pacer.add(failed(1));
    pacer.add(best("0.5"));
    CHECK(pacer.take(start).size() == 2);
    pacer.add(failed(2));
    pacer.add(best("0.4"));
    pacer.add({AlertKind::SweepEnded, 1, "many", 0, 1, 0, {}, "3 completed"});
    const std::vector<Alert> told = pacer.take(start + 1s);
    REQUIRE(told.size() == 3);
    CHECK(titleOf(told[0]) == "many: trial 2 failed");
    CHECK(told[1].text == "0.4");
    CHECK((told[2].kind == AlertKind::SweepEnded));
    CHECK(pacer.isEmpty());
}

TEST_CASE("only the last of several best values is sent")
{
    AlertPacer pacer;
    for (const char *value : {"0.5", "0.4", "0.3"})
        pacer.add({AlertKind::NewBest, 1, "many", 7, 1, 0, {}, value});
    const std::vector<Alert> told = pacer.take({});
    REQUIRE(told.size() == 1);
    CHECK(told[0].text == "0.3");
    CHECK(told[0].count == 1);
}
