// Ranks that replace their attempt's files: the agent never blocks on them and ends normally.
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

TEST_CASE("a pipe in place of any file of the attempt does not block its agent")
{
    for (const char *name : {"rank-0.log", "rank-0.times", "rank-0.feed", "rank-0.index", "rank-0.ring", "host.feed",
                             "children.txt", "launch.json", "params.json", "events.jsonl", "agent.log"})
        runToTheEnd("rm -f $f/" + std::string(name) + "; mkfifo $f/" + name + "; exit 6");
    runToTheEnd("mkfifo $TORCHELASTIC_ERROR_FILE; exit 6");
}

TEST_CASE("a link to an endless file in place of any file of the attempt does not block its agent")
{
    for (const char *name : {"rank-0.log", "rank-0.times", "rank-0.feed", "rank-0.index", "host.feed", "children.txt",
                             "events.jsonl", "agent.log"})
        runToTheEnd("ln -sf /dev/zero $f/" + std::string(name) + "; exit 6");
    runToTheEnd("ln -s /dev/zero $TORCHELASTIC_ERROR_FILE; exit 6");
}

TEST_CASE("an attempt whose folder is removed ends")
{
    runToTheEnd("rm -rf $f; exit 5");
    runToTheEnd("mv $f $f.moved; rm -rf $f.moved", 2);
}

TEST_CASE("the last printed values are in the curves even if the first write of the feed has failed")
{
    AgentAttempt attempt({"sh", "-c", "echo loss=0.5"});
    attempt.spec.metrics = lossFromOutput();
    const char *const given = std::getenv("ASAN_OPTIONS");
    const std::string options = given != nullptr ? given : "";
    ::setenv("ASAN_OPTIONS", (options + ":verify_asan_link_order=0").c_str(),
             1);  // its runtime is not the first library
    ::setenv("LD_PRELOAD", WRITE_SHIM, 1);
    ::setenv("WRITE_SHIM_PROGRAM", "sweepscope-agent", 1);
    attempt.start();
    ::unsetenv("LD_PRELOAD");
    ::setenv("ASAN_OPTIONS", options.c_str(), 1);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Completed);
    CHECK(contentOf(attempt.layout.agentLog()).find("is being saved again") != std::string::npos);
    Losses losses;
    feed::FeedReader reader(attempt.layout.rankFeed(0), {});
    REQUIRE(reader.poll(losses).has_value());
    CHECK(losses.values == std::vector{0.5});
}
