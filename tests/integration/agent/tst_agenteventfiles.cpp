// Curves of ranks that write event files of TensorBoard: the agent follows the files.
#include "agentattempt.h"
#include "exporting/eventfile.h"
#include "feed/feedreader.h"

#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;
using exporting::recordOf;
using exporting::scalarEvent;

namespace {

constexpr WallNs second = 1'000'000'000;

struct EventCurves : feed::RecordVisitor {
    std::map<std::uint16_t, std::string> names;
    std::map<std::string, std::vector<feed::Point>> points;

    void series(const feed::SeriesDeclaration &declaration) override { names[declaration.id] = declaration.name; }
    void point(const feed::Point &point) override { points[names[point.series]].push_back(point); }
};

EventCurves eventCurvesOf(const AgentAttempt &attempt)
{
    EventCurves curves;
    feed::FeedReader reader(attempt.layout.rankFeed(0), attempt.layout.rankRing(0));
    for (;;) {
        const auto records = reader.poll(curves);
        REQUIRE(records.has_value());
        if (*records == 0)
            return curves;
    }
}

/// An attempt that runs until end(), and the event files that its rank would have written.
struct WritingAttempt {
    AgentAttempt attempt{{"sh", "-c", "until [ -e go ]; do sleep 0.02; done"}};
    std::filesystem::path runs = attempt.layout.folder / "runs";

    WritingAttempt()
    {
        attempt.spec.metrics = output::MetricsSection{.step = {}, .series = {}, .tensorboard = runs.string()};
        attempt.spec.workingFolder = attempt.layout.folder.string();
    }

    void append(const std::string &name, const std::string &bytes) const
    {
        std::filesystem::create_directories((runs / name).parent_path());
        std::ofstream(runs / name, std::ios::binary | std::ios::app) << bytes;
    }

    std::string ownName()
    {
        REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 0));
        return "deep/events.out.tfevents.1700000000.host."
               + std::to_string(attempt.find(AttemptEventKind::RankStarted, 0)->pid) + ".0";
    }

    AttemptEvent end()
    {
        std::ofstream(attempt.layout.folder / "go") << "now";
        return attempt.waitForEnd();
    }
};

}  // namespace

TEST_CASE("event files become curves during the run, and a torn record is awaited")
{
    WritingAttempt writing;
    writing.append("events.out.tfevents.1600000000.host", recordOf(scalarEvent("loss", 1, second, 99)));  // of before
    writing.attempt.start();
    const std::string name = writing.ownName();
    const std::string torn = recordOf(scalarEvent("loss", 2, 20 * second, 0.25));
    writing.append("deep/events.out.tfevents.1700000000.host.1.0", recordOf(scalarEvent("loss", 1, second, 77)));
    writing.append(name, recordOf(exporting::versionEvent(second)) + recordOf(scalarEvent("loss", 1, 10 * second, 0.5))
                             + torn.substr(0, 9));
    REQUIRE(waitUntil([&] { return eventCurvesOf(writing.attempt).points["loss"].size() == 1; }));
    writing.append(name, torn.substr(9));
    REQUIRE(waitUntil([&] { return eventCurvesOf(writing.attempt).points["loss"].size() == 2; }));
    writing.append(name, recordOf(scalarEvent("acc", 3, 30 * second, 0.75)) + torn.substr(0, 20));
    CHECK(writing.end().outcome == AttemptOutcome::Completed);

    EventCurves curves = eventCurvesOf(writing.attempt);
    REQUIRE(curves.points["loss"].size() == 2);
    CHECK(curves.points["loss"][1].step == 2);
    CHECK(curves.points["loss"][1].value == 0.25);
    CHECK(curves.points["loss"][1].timeNs == 20 * second);
    REQUIRE(curves.points["acc"].size() == 1);
    CHECK(curves.points["acc"][0].value == 0.75);
}

TEST_CASE("series pick scalars by their tags")
{
    WritingAttempt writing;
    writing.attempt.spec.metrics->series = {{"loss", "train/loss"}};
    writing.attempt.start();
    writing.append(writing.ownName(),
                   recordOf(scalarEvent("train/loss", 1, second, 0.5)) + recordOf(scalarEvent("lr", 1, second, 0.1)));
    writing.end();
    EventCurves curves = eventCurvesOf(writing.attempt);
    CHECK(curves.points.size() == 1);
    CHECK(curves.points["loss"].size() == 1);
}

TEST_CASE("a damaged event file is read up to the damage, which agent.log names")
{
    WritingAttempt writing;
    writing.attempt.start();
    std::string damaged = recordOf(scalarEvent("loss", 2, second, 0.25));
    damaged[14] = static_cast<char>(damaged[14] ^ 1);
    const std::string first = recordOf(scalarEvent("loss", 1, second, 0.5));
    writing.append(writing.ownName(), first + damaged + first);
    CHECK(writing.end().outcome == AttemptOutcome::Completed);
    CHECK(eventCurvesOf(writing.attempt).points["loss"].size() == 1);
    CHECK(contentOf(writing.attempt.layout.folder / "agent.log")
              .find("the checksum of the record at byte " + std::to_string(first.size()) + " is wrong")
          != std::string::npos);
}

TEST_CASE("agent.log says that there were no event files")
{
    WritingAttempt writing;
    writing.attempt.start();
    CHECK(writing.end().outcome == AttemptOutcome::Completed);
    CHECK(contentOf(writing.attempt.layout.folder / "agent.log")
              .find("no process of this attempt has written an event file of TensorBoard in " + writing.runs.string())
          != std::string::npos);
}
