// Telemetry through the agent: from a rank's ring to its log, even if the rank or the agent is killed.
#include "agentattempt.h"
#include "feed/feedreader.h"
#include "feed/logwriter.h"
#include "feed/ring.h"
#include "feed/ringrecovery.h"
#include "series/feedseries.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <string>
#include <sys/resource.h>

using namespace sweepscope;
using namespace sweepscope::launch;
using namespace sweepscope::test;

namespace {

struct Collected : feed::RecordVisitor {
    feed::Preamble head;
    std::map<std::uint16_t, std::string> names;
    std::map<std::string, std::vector<feed::Point>> points;
    std::uint64_t lost = 0;

    void preamble(const feed::Preamble &preamble) override { head = preamble; }
    void series(const feed::SeriesDeclaration &declaration) override
    {
        names[declaration.id] = declaration.name;
        units[declaration.name] = declaration.unit;
    }
    void point(const feed::Point &point) override { points[names[point.series]].push_back(point); }
    void gap(const feed::Gap &gap) override { lost += gap.dropped; }
    std::map<std::string, std::string> units;
};

/// Everything in a log, without its ring.
Collected readLog(const std::filesystem::path &log)
{
    Collected collected;
    feed::FeedReader reader(log, {});
    for (;;) {
        const auto records = reader.poll(collected);
        REQUIRE(records.has_value());
        if (*records == 0)
            return collected;
    }
}

void checkSteps(const std::vector<feed::Point> &points, std::size_t count)
{
    REQUIRE(points.size() == count);
    for (std::size_t i = 0; i < count; ++i)
        REQUIRE(points[i].step == static_cast<std::int64_t>(i));
}

/// Opens the attempt like a window: from its index, and the rest from the log.
series::FeedSeries openIndexed(const AttemptLayout &layout, int rank)
{
    series::FeedSeries feed({layout.rankFeed(rank), layout.rankRing(rank), layout.rankIndex(rank)},
                            series::IndexUse::Read);
    REQUIRE(feed.poll().has_value());
    return feed;
}

bool isPacked(const std::filesystem::path &log)
{
    return contentOf(log).starts_with("SWSCPACK");
}

}  // namespace

TEST_CASE("every point that ranks report is in their logs at the end")
{
    AgentAttempt attempt({client("reportspoints"), "20000"}, 2);
    REQUIRE(attempt.run().outcome == AttemptOutcome::Completed);
    for (int rank = 0; rank < 2; ++rank) {
        const Collected log = readLog(attempt.layout.rankFeed(rank));
        CHECK(log.head.rank == rank);
        CHECK(log.head.worldSize == 2);
        CHECK(log.head.attemptId == attempt.spec.attemptId);
        CHECK(log.lost == 0);
        checkSteps(log.points.at("loss"), 20000);
        // At 24 bytes a point; the agent compressed the log before it ended.
        CHECK(std::filesystem::file_size(attempt.layout.rankFeed(rank)) < 20000 * 24 / 2);
    }
}

TEST_CASE("a long log has an index while it grows, and a complete one after the attempt")
{
    AgentAttempt attempt({client("reportspoints"), "300000", "all-until-stop"}, 2);
    attempt.start();
    for (int rank = 0; rank < 2; ++rank)
        REQUIRE(waitUntil([&] { return openIndexed(attempt.layout, rank).indexedBytes() > 0; }));
    attempt.signal(SIGUSR2);
    attempt.waitForEnd();
    for (int rank = 0; rank < 2; ++rank) {
        const series::FeedSeries feed = openIndexed(attempt.layout, rank);
        CHECK(feed.indexedBytes() == feed.readBytes());
        const series::Series *loss = feed.find("loss");
        REQUIRE(loss);
        CHECK(loss->size() == 300000);
        CHECK(isPacked(attempt.layout.rankFeed(rank)));
    }
}

TEST_CASE("a killed rank loses no point that it had reported")
{
    AgentAttempt attempt({client("reportspoints"), "5000", "crash"});
    REQUIRE(attempt.run().outcome == AttemptOutcome::Failed);
    checkSteps(readLog(attempt.layout.rankFeed(0)).points.at("loss"), 5000);
}

TEST_CASE("a live feed is readable through the link; USR2 asks the rank to end, which stops the attempt")
{
    AgentAttempt attempt({client("reportspoints"), "100", "until-stop"});
    attempt.start();
    Collected live;
    feed::FeedReader reader(attempt.layout.rankFeed(0), attempt.layout.rankRing(0));
    REQUIRE(waitUntil([&] {
        REQUIRE(reader.poll(live).has_value());
        return live.points["loss"].size() == 100;
    }));
    const auto ring = std::filesystem::read_symlink(attempt.layout.rankRing(0));
    CHECK(ring.parent_path() == feed::ringFolder());

    attempt.signal(SIGUSR2);
    const auto ended = attempt.waitForEnd();
    CHECK(ended.outcome == AttemptOutcome::Stopped);
    CHECK(attempt.find(AttemptEventKind::StopRequested).has_value());
    CHECK(attempt.find(AttemptEventKind::RankExited, 0)->exitCode == 0);
    CHECK_FALSE(std::filesystem::exists(ring));
}

TEST_CASE("ranks that never ask whether to stop complete, although a checkpoint was requested")
{
    AgentAttempt attempt({client("reportspoints"), "100", "until-file"});
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 0));
    attempt.signal(SIGUSR2);
    REQUIRE(attempt.waitFor(AttemptEventKind::StopRequested));
    std::ofstream(attempt.layout.folder / "go") << "";
    const auto ended = attempt.waitForEnd();
    CHECK(ended.outcome == AttemptOutcome::Completed);
    CHECK_FALSE(ended.reason);
}

TEST_CASE("an attempt whose telemetry cannot start leaves neither ring nor link")
{
    AgentAttempt attempt({client("ok")}, 2);
    std::ofstream(attempt.layout.rankFeed(1)) << "somebody else's";
    CHECK(attempt.run().outcome == AttemptOutcome::Failed);
    for (int rank = 0; rank < 2; ++rank)
        CHECK_FALSE(std::filesystem::is_symlink(attempt.layout.rankRing(rank)));
    for (const auto &entry : std::filesystem::directory_iterator(feed::ringFolder()))
        CHECK(entry.path().filename().string().find(attempt.spec.attemptId + "-") == std::string::npos);
}

TEST_CASE("SIGTERM also sets the stop request in the ring")
{
    AgentAttempt attempt({"sh", "-c", "trap '' TERM; exec " + client("reportspoints") + " 10 until-stop"});
    attempt.start();
    REQUIRE(waitUntil([&] {
        Collected live;
        feed::FeedReader reader(attempt.layout.rankFeed(0), attempt.layout.rankRing(0));
        return reader.poll(live).has_value() && live.points["loss"].size() == 10;
    }));
    attempt.signal(SIGTERM);
    CHECK(attempt.waitForEnd().outcome == AttemptOutcome::Stopped);
    CHECK(attempt.find(AttemptEventKind::RankExited, 0)->exitCode == 0);
}

TEST_CASE("a rank that writes garbage into its ring affects only itself, and the last event reports it")
{
    AgentAttempt attempt({"sh", "-c",
                          "if [ $RANK = 0 ]; then exec " + client("writesgarbage") + "; else exec "
                              + client("reportspoints") + " 300; fi"},
                         2);
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Completed);
    CHECK(ended.reason.code == facts::Code::TelemetryProblem);
    CHECK(ended.reason.text(facts::Field::Detail).find("telemetry of rank 0: ") == 0);
    CHECK(ended.reason.text(facts::Field::Detail).find("rank 1") == std::string::npos);
    checkSteps(readLog(attempt.layout.rankFeed(1)).points.at("loss"), 300);
    CHECK(contentOf(attempt.layout.agentLog()).find("telemetry of rank 0") != std::string::npos);
}

TEST_CASE("a rank that truncates its ring and extends it again affects only itself, and the last event reports it")
{
    AgentAttempt attempt({"sh", "-c",
                          "if [ $RANK = 1 ]; then exec " + client("reportspoints")
                              + " 300; fi; size=$(stat -c %s $SWEEPSCOPE_RING); for i in $(seq 100); do "
                                "truncate -s 0 $SWEEPSCOPE_RING; truncate -s $size $SWEEPSCOPE_RING; "
                                "truncate -s 4096 $SWEEPSCOPE_RING; truncate -s $size $SWEEPSCOPE_RING; done; "
                                "truncate -s 0 $SWEEPSCOPE_RING"},
                         2);
    const auto ended = attempt.run();
    CHECK(ended.outcome == AttemptOutcome::Completed);
    CHECK(ended.reason.code == facts::Code::TelemetryProblem);
    CHECK(ended.reason.text(facts::Field::Detail).find("telemetry of rank 0: ") == 0);
    CHECK(ended.reason.text(facts::Field::Detail).find("rank 1") == std::string::npos);
    checkSteps(readLog(attempt.layout.rankFeed(1)).points.at("loss"), 300);
}

TEST_CASE("an agent on a full disk reports it, lets the ranks continue, and saves everything once there is space")
{
    constexpr int points = 20'000;
    AgentAttempt attempt({"sh", "-c", ""});
    const std::filesystem::path go = attempt.layout.folder / "go";
    attempt.spec.argv[2] = "until test -e " + go.string() + "; do sleep 0.05; done; exec " + client("reportspoints")
                           + " " + std::to_string(points) + " until-stop";
    attempt.start();
    REQUIRE(attempt.waitFor(AttemptEventKind::RankStarted, 0));
    const auto rank = attempt.find(AttemptEventKind::RankStarted, 0);
    // The agent's files cannot grow above this limit: its writes fail as on a full disk.
    rlimit before{};
    REQUIRE(::prlimit(attempt.agent().pid, RLIMIT_FSIZE, nullptr, &before) == 0);
    const rlimit full{100'000, before.rlim_max};
    REQUIRE(::prlimit(attempt.agent().pid, RLIMIT_FSIZE, &full, nullptr) == 0);
    std::ofstream(go) << "go";
    const auto says = [&](const char *words) {
        return contentOf(attempt.layout.agentLog()).find(words) != std::string::npos;
    };
    REQUIRE(waitUntil([&] { return says("telemetry of rank 0: cannot save"); }));
    CHECK(isAlive({rank->pid, rank->startTime}));
    Collected live;  // readers miss nothing
    feed::FeedReader reader(attempt.layout.rankFeed(0), attempt.layout.rankRing(0));
    CHECK(waitUntil([&] {
        REQUIRE(reader.poll(live).has_value());
        return live.points["loss"].size() == points;
    }));
    CHECK(std::filesystem::file_size(attempt.layout.rankFeed(0)) <= full.rlim_cur);

    REQUIRE(::prlimit(attempt.agent().pid, RLIMIT_FSIZE, &before, nullptr) == 0);
    REQUIRE(waitUntil([&] { return says("the telemetry of rank 0 is being saved again"); }));
    attempt.signal(SIGUSR2);
    const auto ended = attempt.waitForEnd();
    CHECK(ended.outcome == AttemptOutcome::Stopped);
    CHECK(ended.reason.code != facts::Code::TelemetryProblem);
    CHECK(ended.reason.because.empty());  // everything was saved in the end
    const Collected log = readLog(attempt.layout.rankFeed(0));
    CHECK(log.lost == 0);
    checkSteps(log.points.at("loss"), points);
}

TEST_CASE("after the agent was killed, the rings contain what it had not drained")
{
    AgentAttempt attempt({client("reportspoints"), "1000", "until-stop"});
    attempt.start();
    REQUIRE(waitUntil([&] {
        Collected live;
        feed::FeedReader reader(attempt.layout.rankFeed(0), attempt.layout.rankRing(0));
        return reader.poll(live).has_value() && live.points["loss"].size() == 1000;
    }));
    const auto rank = attempt.find(AttemptEventKind::RankStarted, 0);
    attempt.signal(SIGKILL);
    REQUIRE(waitUntil([&] { return !isAlive({rank->pid, rank->startTime}); }));
    REQUIRE(feed::recoverRing(attempt.layout.rankRing(0), attempt.layout.rankFeed(0)).has_value());
    checkSteps(readLog(attempt.layout.rankFeed(0)).points.at("loss"), 1000);
}

TEST_CASE("logs of a killed agent are indexed and compressed later, except for a log whose ring still exists")
{
    AgentAttempt attempt({client("reportspoints"), "100000", "until-stop"}, 2);
    attempt.start();
    for (int rank = 0; rank < 2; ++rank)
        REQUIRE(waitUntil([&] {
            Collected live;
            feed::FeedReader reader(attempt.layout.rankFeed(rank), attempt.layout.rankRing(rank));
            return reader.poll(live).has_value() && live.points["loss"].size() == 100000;
        }));
    attempt.signal(SIGKILL);
    for (int rank = 0; rank < 2; ++rank) {
        const auto started = attempt.find(AttemptEventKind::RankStarted, rank);
        REQUIRE(waitUntil([&] { return !isAlive({started->pid, started->startTime}); }));
    }
    {
        auto host = feed::LogWriter::open(attempt.layout.hostFeed(), {-1, 2, 1, attempt.spec.attemptId}).value();
        const std::uint16_t more = host.declare("more", {});  // in addition to the agent's samples
        for (int step = 0; step < 2000; ++step)
            host.write(more, step, step, 50);
        REQUIRE(host.flush());
    }
    const auto ring = std::filesystem::read_symlink(attempt.layout.rankRing(0));
    REQUIRE(feed::recoverRing(ring, attempt.layout.rankFeed(0)).has_value());
    std::filesystem::remove(attempt.layout.rankRing(0));

    const auto tidying =
        startAgent(std::string(SWEEPSCOPE_BIN_DIR) + "/sweepscope-agent", attempt.layout.folder, {}, AgentTask::Tidy);
    REQUIRE(tidying.has_value());
    REQUIRE(waitUntil([&] { return !isAlive(*tidying); }));
    CHECK(isPacked(attempt.layout.rankFeed(0)));
    CHECK_FALSE(isPacked(attempt.layout.rankFeed(1)));
    CHECK(isPacked(attempt.layout.hostFeed()));
    checkSteps(readLog(attempt.layout.rankFeed(0)).points.at("loss"), 100000);
    checkSteps(readLog(attempt.layout.hostFeed()).points.at("more"), 2000);
    const series::FeedSeries feed = openIndexed(attempt.layout, 0);
    CHECK(feed.indexedBytes() == feed.readBytes());
}

TEST_CASE("CPU and memory of each rank are sampled while it runs")
{
    AgentAttempt attempt({"sh", "-c", "while :; do :; done"}, 2);
    attempt.start();
    REQUIRE(waitUntil([&] {
        Collected host;
        feed::FeedReader reader(attempt.layout.hostFeed(), {});
        return reader.poll(host).has_value() && host.points["rank0.cpu"].size() >= 2
               && host.points["rank1.memory"].size() >= 2;
    }));
    attempt.signal(SIGTERM);
    attempt.waitForEnd();

    Collected host = readLog(attempt.layout.hostFeed());
    CHECK(host.head.attemptId == attempt.spec.attemptId);
    CHECK(host.units.at("rank0.cpu") == "%");
    CHECK(host.units.at("rank1.memory") == "B");
    CHECK(host.points.at("rank1.memory").back().value > 100'000);
    double highest = 0;
    for (const feed::Point &point : host.points.at("rank0.cpu"))
        highest = std::max(highest, point.value);
    CHECK(highest > 0);
    CHECK(highest < 150);  // a busy loop in one thread
}
