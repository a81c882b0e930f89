// Curves of ranks that do not report metrics: the agent extracts them from the output.
#include "agentattempt.h"
#include "feed/feedreader.h"

#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

namespace {

struct Curves : feed::RecordVisitor {
    std::map<std::uint16_t, std::string> names;
    std::map<std::string, std::vector<feed::Point>> points;
    std::uint64_t lost = 0;

    void series(const feed::SeriesDeclaration &declaration) override { names[declaration.id] = declaration.name; }
    void point(const feed::Point &point) override { points[names[point.series]].push_back(point); }
    void gap(const feed::Gap &gap) override { lost += gap.dropped; }
};

Curves curvesOf(const AgentAttempt &attempt, int rank = 0)
{
    Curves curves;
    feed::FeedReader reader(attempt.layout.rankFeed(rank), attempt.layout.rankRing(rank));
    for (;;) {
        const auto records = reader.poll(curves);
        REQUIRE(records.has_value());
        if (*records == 0)
            return curves;
    }
}

output::MetricsSection lossOf(const std::string &step = {})
{
    return {output::OutputFormat::Text, false, step, {{"loss", "loss=(\\S+)"}}};
}

}  // namespace

TEST_CASE("printed metrics become curves during the run")
{
    AgentAttempt attempt({"sh", "-c",
                          "echo 'epoch 1 loss=0.5'; until [ -e go ]; do sleep 0.02; done; "
                          "printf 'epoch 2 \\033[1mloss=0.25\\033[0m'"},
                         2);
    attempt.spec.metrics = lossOf("epoch (\\d+)");
    attempt.start();
    REQUIRE(waitUntil([&] { return !curvesOf(attempt).points["loss"].empty(); }));
    std::ofstream(attempt.layout.folder / "go") << "now";
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Completed);

    Curves first = curvesOf(attempt, 0);
    REQUIRE(first.points["loss"].size() == 2);  // the last line is unterminated
    CHECK(first.points["loss"][1].step == 2);
    CHECK(first.points["loss"][1].value == 0.25);
    CHECK(curvesOf(attempt, 1).points.empty());
    CHECK(contentOf(attempt.layout.agentLog()).empty());
}

TEST_CASE("values that are read together have the times at which they were printed")
{
    constexpr int lines = 30;
    AgentAttempt attempt(
        {"sh", "-c", "for i in $(seq " + std::to_string(lines) + "); do echo loss=$i; sleep 0.005; done"});
    attempt.spec.metrics = lossOf();
    CHECK(attempt.run().outcome == AttemptOutcome::Completed);
    Curves curves = curvesOf(attempt);
    const std::vector<feed::Point> &loss = curves.points["loss"];
    REQUIRE(loss.size() == lines);
    int apart = 0;
    for (std::size_t i = 1; i < loss.size(); ++i) {
        CHECK(loss[i].timeNs >= loss[i - 1].timeNs);
        apart += loss[i].timeNs - loss[i - 1].timeNs > 200'000 ? 1 : 0;
    }
    CHECK(apart > lines * 2 / 3);  // read at once, they would be microseconds apart
}

TEST_CASE("with everyRank each rank has its own curves, and no ring in its environment")
{
    AgentAttempt attempt({"sh", "-c", "echo \"loss=$RANK.5\"; echo \"ring=$SWEEPSCOPE_RING.\""}, 3);
    attempt.spec.metrics = lossOf();
    attempt.spec.metrics->everyRank = true;
    CHECK(attempt.run().outcome == AttemptOutcome::Completed);
    for (int rank = 0; rank < 3; ++rank) {
        Curves curves = curvesOf(attempt, rank);
        REQUIRE(curves.points["loss"].size() == 1);
        CHECK(curves.points["loss"][0].step == 1);
        CHECK(curves.points["loss"][0].value == rank + 0.5);
        CHECK(contentOf(attempt.layout.rankLog(rank)).find("ring=.\n") != std::string::npos);
    }
}

TEST_CASE("every value in a flood of lines is found, in order")
{
    constexpr int lines = 200'000;
    AgentAttempt attempt({"awk", "BEGIN { for (i = 1; i <= " + std::to_string(lines)
                                     + "; ++i) print \"step\", i, \"loss=\" " + std::to_string(lines) + " - i }"});
    attempt.spec.metrics = lossOf("step (\\d+)");
    CHECK(attempt.run().outcome == AttemptOutcome::Completed);
    Curves curves = curvesOf(attempt);
    CHECK(curves.lost == 0);
    const auto &loss = curves.points["loss"];
    REQUIRE(loss.size() == lines);
    bool inOrder = true;
    for (int i = 0; i < lines; ++i) {
        const feed::Point &point = loss[static_cast<std::size_t>(i)];
        inOrder = inOrder && point.step == i + 1 && point.value == lines - i - 1;
    }
    CHECK(inOrder);
}

TEST_CASE("garbage and an unterminated line do no harm, and values that are not numbers are reported")
{
    AgentAttempt attempt({"sh", "-c",
                          "head -c 3000000 /dev/urandom | tr -d '\\n\\r'; echo; head -c 300000 /dev/urandom; echo; "
                          "echo loss=low; printf 'loss=3\\r\\n\\xff loss=4 \\xc3\\n'"});
    attempt.spec.metrics = lossOf();
    CHECK(attempt.run().outcome == AttemptOutcome::Completed);
    const auto loss = curvesOf(attempt).points["loss"];
    REQUIRE(loss.size() >= 2);
    CHECK(loss[loss.size() - 2].value == 3);
    CHECK(loss.back().value == 4);
    CHECK(contentOf(attempt.layout.agentLog()).find("in the output of rank 0, the value of 'loss' is 'low'")
          != std::string::npos);
}

TEST_CASE("an invalid expression in launch.json fails the attempt with the reason, and no rank runs")
{
    AgentAttempt attempt({"touch", "ran"});
    attempt.spec.metrics = lossOf("(");
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Failed);
    CHECK(ended.reason.text(facts::Field::Detail).find("the expression of step is not a valid regular expression")
          == 0);
    CHECK_FALSE(std::filesystem::exists(attempt.layout.folder / "ran"));
}
