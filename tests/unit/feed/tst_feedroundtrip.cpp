#include "feedtesting.h"

#include "base/clock.h"
#include "feed/feedwriter.h"
#include "feed/ring.h"

#include <cmath>
#include <limits>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

struct Feed {
    TemporaryFolder folder;
    std::filesystem::path log = folder / "rank-1.feed";
    std::filesystem::path ring = folder / "rank-1.ring";
    RingDrain drain;
    explicit Feed(std::uint64_t capacity = minRingBytes)
        : drain(RingDrain::create(ring, log, somePreamble(), capacity).value())
    {}
};

}  // namespace

TEST_CASE("reports are read back from the ring alone, from ring and log, and from the log alone")
{
    Feed feed;
    FeedReader early(feed.log, feed.ring);
    Recorder live;
    REQUIRE(readAll(early, live));
    CHECK(live.preambles.size() == 1);
    CHECK(std::filesystem::file_size(feed.log) == 0);

    const WallNs before = wallNow();
    auto writer = FeedWriter::open(feed.ring).value();
    const auto loss = writer.declare("loss");
    const auto stepTime = writer.declare("step_time", "s");
    writer.write(loss, 0, 2.5);
    writer.write(stepTime, 0, 0.125);
    writer.event(EventKind::Epoch, 0, "epoch 1 of 5");
    REQUIRE(readAll(early, live));
    CHECK(feed.drain.drain().value() > 0);
    writer.write(loss, 1, 1.5);
    REQUIRE(readAll(early, live));
    FeedReader half(feed.log, feed.ring);
    Recorder halfway;
    REQUIRE(readAll(half, halfway));
    CHECK(feed.drain.drain().value() == pointBytes);
    feed.drain.unlink();
    FeedReader late(feed.log, feed.ring);
    Recorder finished;
    REQUIRE(readAll(late, finished));

    CHECK(live.trace
          == std::vector<std::string>{"preamble attempt-7/1", "series 0 loss []", "series 1 step_time [s]",
                                      "point 0 0 2.500000", "point 1 0 0.125000", "event 2 0 epoch 1 of 5",
                                      "point 0 1 1.500000"});
    CHECK(halfway.trace == live.trace);
    CHECK(finished.trace == live.trace);
    CHECK(finished.preambles[0].rank == 1);
    CHECK(finished.preambles[0].worldSize == 2);
    CHECK(finished.preambles[0].createdNs == somePreamble().createdNs);
    CHECK(finished.points[0].timeNs >= before);
    CHECK(finished.points[0].timeNs <= wallNow());
    CHECK(early.offset() == std::filesystem::file_size(feed.log));
}

TEST_CASE("the same name gives the same id")
{
    Feed feed;
    auto writer = FeedWriter::open(feed.ring).value();
    const auto loss = writer.declare("loss", "nats");
    CHECK(writer.declare("accuracy") != loss);
    CHECK(writer.declare("loss") == loss);
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.declarations.size() == 2);
}

TEST_CASE("steps beyond 32 bits, negative steps, and non-finite values are read back unchanged")
{
    const std::vector<std::int64_t> steps{0,
                                          -1,
                                          0xffffffff,
                                          0x100000000,
                                          -0x100000000,
                                          -0x100000001,
                                          std::numeric_limits<std::int64_t>::max(),
                                          std::numeric_limits<std::int64_t>::min(),
                                          7};
    Feed feed;
    auto writer = FeedWriter::open(feed.ring).value();
    const auto id = writer.declare("x");
    for (const auto step : steps)
        writer.write(id, step, std::nan(""));
    writer.write(id, 8, -std::numeric_limits<double>::infinity());
    writer.write(id, 9, std::numeric_limits<double>::denorm_min());
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));

    REQUIRE(seen.points.size() == steps.size() + 2);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        CHECK(seen.points[i].step == steps[i]);
        CHECK(std::isnan(seen.points[i].value));
    }
    CHECK(seen.points[steps.size()].value == -std::numeric_limits<double>::infinity());
    CHECK(seen.points[steps.size() + 1].value == std::numeric_limits<double>::denorm_min());
}

TEST_CASE("strings that are too long are cut between characters")
{
    Feed feed;
    auto writer = FeedWriter::open(feed.ring).value();
    std::string text = "x";
    while (text.size() < maxEventTextBytes + 100)
        text += "é";
    writer.event(EventKind::Message, 1, text);
    const auto id = writer.declare(text, text);
    writer.write(id, 1, 1);
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));

    CHECK(seen.events.at(0).text == text.substr(0, maxEventTextBytes - 1));
    CHECK(seen.declarations.at(0).name == text.substr(0, maxNameBytes - 1));
    CHECK(seen.declarations.at(0).unit == text.substr(0, maxUnitBytes - 1));
    CHECK(writer.declare(text) == id);
}

TEST_CASE("a ring that wraps many times gives every point once, in order, to a following and to a late reader")
{
    Feed feed;
    FeedReader reader(feed.log, feed.ring);
    Recorder live;
    auto writer = FeedWriter::open(feed.ring).value();
    const auto id = writer.declare("x");
    constexpr int points = 40'000;  // 24 bytes each through 64 KiB: about 15 rounds
    for (int i = 0; i < points; ++i) {
        writer.write(id, i, i * 0.5);
        if (i % 701 == 0)
            REQUIRE(feed.drain.drain());
        if (i % 997 == 0)
            REQUIRE(readAll(reader, live));
    }
    REQUIRE(readAll(reader, live));
    REQUIRE(feed.drain.drain());
    feed.drain.unlink();
    FeedReader late(feed.log, feed.ring);
    Recorder finished;
    REQUIRE(readAll(late, finished));

    CHECK(writer.dropped() == 0);
    REQUIRE(live.points.size() == points);
    for (int i = 0; i < points; ++i)
        REQUIRE(live.points[static_cast<std::size_t>(i)].step == i);
    CHECK(finished.trace == live.trace);
}

TEST_CASE("a full ring drops points, counts them exactly, and reports them before the next point")
{
    Feed feed;
    auto writer = FeedWriter::open(feed.ring).value();
    const auto id = writer.declare("x");
    constexpr int points = 10'000;
    for (int i = 0; i < points; ++i)
        writer.write(id, i, 1);
    const auto firstDrops = writer.dropped();
    CHECK(firstDrops > 0);
    REQUIRE(feed.drain.drain());
    writer.write(id, points, 2);
    REQUIRE(feed.drain.drain());
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));

    CHECK(writer.dropped() == firstDrops);
    REQUIRE(seen.gaps.size() == 1);
    CHECK(seen.gaps[0].dropped == firstDrops);
    CHECK(seen.points.size() + firstDrops == points + 1);
    CHECK(seen.trace[seen.trace.size() - 2] == "gap " + std::to_string(firstDrops));
    CHECK(seen.points.back().step == points);
}

TEST_CASE("drops at the very end are reported although the rank never wrote again")
{
    Feed feed;
    std::uint64_t dropped = 0;
    SUBCASE("its writer closes when the ring has space")
    {
        auto writer = FeedWriter::open(feed.ring).value();
        const auto id = writer.declare("x");
        for (int i = 0; i < 5000; ++i)
            writer.write(id, i, 1);
        dropped = writer.dropped();
        REQUIRE(feed.drain.drain());
    }
    SUBCASE("its writer closes when the ring is full")
    {
        {
            auto writer = FeedWriter::open(feed.ring).value();
            const auto id = writer.declare("x");
            for (int i = 0; i < 5000; ++i)
                writer.write(id, i, 1);
            dropped = writer.dropped();
        }
        REQUIRE(feed.drain.drain());
    }
    CHECK(dropped > 0);
    REQUIRE(feed.drain.drain());
    feed.drain.unlink();
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.droppedInGaps() == dropped);
}

TEST_CASE("a series declared while the ring is full is declared before its first point")
{
    Feed feed;
    auto writer = FeedWriter::open(feed.ring).value();
    const auto filler = writer.declare("filler");
    for (int i = 0; i < 5000; ++i)
        writer.write(filler, i, 1);
    const auto late = writer.declare("late", "s");
    writer.write(late, 1, 1);
    REQUIRE(feed.drain.drain());
    writer.write(late, 2, 2);
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.declarations.back().name == "late");
    CHECK(seen.points.back().series == late);
    CHECK(seen.points.back().step == 2);
    CHECK(seen.droppedInGaps() == writer.dropped());
}

TEST_CASE("a fenced rank cannot write, and a stop request is visible")
{
    Feed feed;
    auto writer = FeedWriter::open(feed.ring).value();
    const auto id = writer.declare("x");
    CHECK_FALSE(writer.stopRequested());
    feed.drain.requestStop();
    CHECK(writer.stopRequested());
    writer.write(id, 1, 1);
    feed.drain.fence();
    writer.write(id, 2, 2);
    writer.event(EventKind::Message, 2, "late");
    writer.write(writer.declare("another"), 2, 2);
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.points.size() == 1);
    CHECK(seen.events.empty());
    CHECK(writer.dropped() == 0);
}

TEST_CASE("a second program of the same rank continues in the same ring with separate ids")
{
    Feed feed;
    {
        auto first = FeedWriter::open(feed.ring).value();
        first.write(first.declare("x"), 0x200000005, 1);
    }
    auto second = FeedWriter::open(feed.ring).value();
    const auto id = second.declare("y");
    second.write(id, 5, 2);
    FeedReader reader(feed.log, feed.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(id == 1);
    CHECK(seen.points.at(0).step == 0x200000005);
    CHECK(seen.points.at(1).step == 5);
}

TEST_CASE("a rank outside Sweepscope gets NotFound")
{
    ::unsetenv("SWEEPSCOPE_RING");
    const auto none = FeedWriter::openFromEnvironment();
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::NotFound);
}

TEST_CASE("an open writer has every page of the ring present, so that writing causes no page fault")
{
    Feed feed;
    const std::uint64_t wanted = (minRingBytes + sizeof(RingHeader)) / 1024;
    const auto mappingsWithAllPages = [&] {
        std::ifstream smaps("/proc/self/smaps");
        int found = 0;
        bool ours = false;
        for (std::string line; std::getline(smaps, line);) {
            if (line.find(" r") != std::string::npos || line.find(" -") != std::string::npos)
                ours = line.find(feed.ring.string()) != std::string::npos;
            else if (ours && line.rfind("Rss:", 0) == 0)
                found += std::stoull(line.substr(4)) >= wanted ? 1 : 0;
        }
        return found;
    };
    CHECK(mappingsWithAllPages() == 0);
    const auto writer = FeedWriter::open(feed.ring).value();
    CHECK(mappingsWithAllPages() == 1);
}

TEST_CASE("a ring is private to its user, and neither ring nor log is ever replaced")
{
    Feed feed;
    struct stat info {};
    REQUIRE(::stat(feed.ring.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);

    const auto sameLog = RingDrain::create(feed.folder / "other.ring", feed.log, somePreamble());
    REQUIRE_FALSE(sameLog);
    CHECK(sameLog.error().code == ErrorCode::AlreadyExists);
    const auto sameRing = RingDrain::create(feed.ring, feed.folder / "other.feed", somePreamble());
    REQUIRE_FALSE(sameRing);
    CHECK(sameRing.error().code == ErrorCode::AlreadyExists);
    CHECK_FALSE(std::filesystem::exists(feed.folder / "other.feed"));
    CHECK_FALSE(std::filesystem::exists(feed.folder / "other.ring"));
}
