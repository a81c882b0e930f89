// Ranks that put something else in the place of their attempt's files: the agent waits for nothing and comes to its end.
#include "agentattempt.h"
#include "feed/feedreader.h"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

namespace {

output::MetricsSection lossFromOutput()
{
    output::MetricsSection metrics;
    metrics.series = {{"loss", "loss=(\\S+)"}};
    return metrics;
}

/// Runs `script`, in which $f is the attempt's folder, and waits for the agent's end.
void runToTheEnd(const std::string &script, int ranks = 1)
{
    AgentAttempt attempt({"sh", "-c", "f=$SWEEPSCOPE_ATTEMPT_FOLDER; " + script}, ranks);
    attempt.spec.metrics = lossFromOutput();
    attempt.start();
    CHECK_MESSAGE(waitUntil([&] { return !attempt.agentIsAlive(); }), script);
}

/// The values of rank 0's series `loss`.
struct Losses final : feed::RecordVisitor {
    std::vector<double> values;
    void point(const feed::Point &point) override { values.push_back(point.value); }
};

}  // namespace

TEST_CASE("a pipe in the place of any file of the attempt does not hold its agent up")
{
    for (const char *name : {"rank-0.log", "rank-0.times", "rank-0.feed", "rank-0.index", "rank-0.ring", "host.feed",
                             "children.txt", "launch.json", "params.json", "events.jsonl", "agent.log"})
        runToTheEnd("rm -f $f/" + std::string(name) + "; mkfifo $f/" + name + "; exit 6");
    runToTheEnd("mkfifo $TORCHELASTIC_ERROR_FILE; exit 6");
}

TEST_CASE("a link to an endless file in the place of any file of the attempt does not hold its agent up")
{
    for (const char *name : {"rank-0.log", "rank-0.times", "rank-0.feed", "rank-0.index", "host.feed", "children.txt",
                             "events.jsonl", "agent.log"})
        runToTheEnd("ln -sf /dev/zero $f/" + std::string(name) + "; exit 6");
    runToTheEnd("ln -s /dev/zero $TORCHELASTIC_ERROR_FILE; exit 6");
}

TEST_CASE("an attempt whose folder is gone comes to its end")
{
    runToTheEnd("rm -rf $f; exit 5");
    runToTheEnd("mv $f $f.moved; rm -rf $f.moved", 2);
}

TEST_CASE("what a rank prints last is in its curves, though the first write of its feed has failed")
{
    AgentAttempt attempt({"sh", "-c", "echo loss=0.5"});
    attempt.spec.metrics = lossFromOutput();
    ::setenv("LD_PRELOAD", WRITE_SHIM, 1);
    ::setenv("WRITE_SHIM_PROGRAM", "sweepscope-agent", 1);
    attempt.start();
    ::unsetenv("LD_PRELOAD");
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Completed);
    CHECK(contentOf(attempt.layout.agentLog()).find("is written again") != std::string::npos);
    Losses losses;
    feed::FeedReader reader(attempt.layout.rankFeed(0), {});
    REQUIRE(reader.poll(losses).has_value());
    CHECK(losses.values == std::vector{0.5});
}
