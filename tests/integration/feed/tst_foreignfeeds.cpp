#include "rankprocess.h"

#include "feed/feedwriter.h"

#include <cmath>
#include <sstream>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

const std::string inC = SWEEPSCOPE_TEST_BIN_DIR "/clients/feed-reporting-in-c";
const std::string foreign = SWEEPSCOPE_SOURCE_DIR "/tests/integration/feed/foreignfeed.py";

/// Returns a feed as seen by the reader that was written from the specification alone.
std::vector<std::string> readByForeigner(const Feed &feed, bool withRing)
{
    std::vector<std::string> arguments{SWEEPSCOPE_PYTHON, foreign, "read", feed.folder / "log"};
    if (withRing)
        arguments.push_back(feed.folder / "ring");
    RankProcess reader(feed.folder, arguments, false);
    const int code = reader.finish();
    INFO(reader.output());
    REQUIRE(code == 0);
    std::vector<std::string> lines;
    std::istringstream output(reader.output());
    for (std::string line; std::getline(output, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("a program in C reports through the shared library, and a foreign reader reads the same as ours")
{
    Feed feed;
    RankProcess rank(feed.folder, {inC});
    CHECK(rank.finish() == 0);
    CHECK(rank.output() == "1000 steps, 0 records dropped\n");
    REQUIRE(readAll(feed.reader, feed.seen));
    CHECK(readByForeigner(feed, true) == feed.seen.trace);
    feed.drainAndRead();
    CHECK(readByForeigner(feed, true) == feed.seen.trace);
    CHECK(readByForeigner(feed, false) == feed.seen.trace);

    REQUIRE(feed.seen.declarations.size() == 2);
    CHECK(feed.seen.declarations[0].name == "loss");
    CHECK(feed.seen.declarations[0].unit == "nats");
    REQUIRE(feed.seen.points.size() == 2000);
    CHECK(feed.seen.points[1998].value == 1.0 / 1000);
    CHECK(feed.seen.events.back().kind == EventKind::Checkpoint);
}

TEST_CASE("a program in C stops on request, and runs outside Sweepscope")
{
    Feed feed;
    feed.drain.requestStop();
    RankProcess asked(feed.folder, {inC});
    CHECK(asked.finish() == 0);
    CHECK(asked.output() == "0 steps, 0 records dropped\n");

    RankProcess outside(feed.folder, {inC}, false);
    CHECK(outside.finish() == 0);
    CHECK(outside.output().find("SWEEPSCOPE_RING is not set") != std::string::npos);
    CHECK(outside.output().find("1000 steps, 0 records dropped") != std::string::npos);
}

TEST_CASE("records of a foreign writer are read correctly, also between ours and across the ring's end")
{
    Feed feed(minRingBytes);
    const auto report = [&](int count) {
        FeedWriter writer = FeedWriter::open(feed.folder / "ring").value();
        const auto id = writer.declare("ours");
        for (std::int64_t step = 0; step < count; ++step)
            writer.write(id, (std::int64_t{3} << 32) + step, 1);
    };
    report(1000);  // each with its step base, which takes 56 bytes
    feed.drainAndRead();
    report(300);
    for (int i = 0; i < 3; ++i) {
        RankProcess writer(feed.folder, {SWEEPSCOPE_PYTHON, foreign, "write", feed.folder / "ring"});
        const int code = writer.finish();
        INFO(writer.output());
        REQUIRE(code == 0);
        if (i == 0) {
            feed.drainAndRead();
            REQUIRE(feed.seen.points.size() == 1302);
            CHECK(feed.seen.points[1300].step == 7);  // the earlier writers left 0 as the step base
            CHECK(feed.seen.points[1301].step == -1);
            CHECK(std::isinf(feed.seen.points[1301].value));
            CHECK(feed.seen.declarations.back().name == "größe!");
            CHECK(feed.seen.declarations.back().id == 2);
            CHECK(feed.seen.events.back().text == "saved");
            CHECK(feed.seen.gaps.back().dropped == 3);
        }
    }
    report(10);
    REQUIRE(readAll(feed.reader, feed.seen));
    CHECK(feed.seen.points.back().step == (std::int64_t{3} << 32) + 9);
    CHECK(readByForeigner(feed, true) == feed.seen.trace);
}
