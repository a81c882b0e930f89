#include "feedtesting.h"

#include "feed/feedwriter.h"
#include "feed/ring.h"
#include "feed/ringrecovery.h"

#include <cstring>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

/// A feed whose agent ended after draining `drained` of `points` points: a log and a ring without processes.
struct Orphan {
    TemporaryFolder folder;
    std::filesystem::path log = folder / "rank-1.feed";
    std::filesystem::path ring = folder / "rank-1.ring";

    explicit Orphan(int points = 1000, int drained = 400)
    {
        auto drain = RingDrain::create(ring, log, presentPreamble(), minRingBytes).value();
        auto writer = FeedWriter::open(ring).value();
        const auto id = writer.declare("x");
        for (int i = 0; i < points; ++i) {
            if (i == drained)
                REQUIRE(drain.drain());
            writer.write(id, i, i);
        }
    }
};

void checkPoints(const Recorder &seen, int points)
{
    REQUIRE(seen.points.size() == static_cast<std::size_t>(points));
    for (int i = 0; i < points; ++i)
        REQUIRE(seen.points[static_cast<std::size_t>(i)].step == i);
    CHECK(seen.preambles.size() == 1);
}

}  // namespace

TEST_CASE("the ring of a dead agent is recovered, and a concurrent reader sees nothing twice")
{
    const Orphan orphan;
    FeedReader live(orphan.log, orphan.ring);
    Recorder seen;
    REQUIRE(readAll(live, seen));
    checkPoints(seen, 1000);

    CHECK(recoverRing(orphan.ring, orphan.log).value() == 600 * pointBytes);
    CHECK_FALSE(std::filesystem::exists(orphan.ring));
    const auto again = recoverRing(orphan.ring, orphan.log);
    REQUIRE_FALSE(again);
    CHECK(again.error().code == ErrorCode::NotFound);

    REQUIRE(readAll(live, seen));
    checkPoints(seen, 1000);
    FeedReader late(orphan.log, orphan.ring);
    Recorder all;
    REQUIRE(readAll(late, all));
    checkPoints(all, 1000);
}

TEST_CASE("recovery works wherever it, or the agent, was killed between write() and the update of its counters")
{
    const Orphan orphan;
    const std::string log = contentOf(orphan.log);
    const std::string ring = contentOf(orphan.ring);
    REQUIRE(recoverRing(orphan.ring, orphan.log));
    const std::string whole = contentOf(orphan.log);
    REQUIRE(whole.size() == log.size() + 600 * pointBytes);

    for (std::size_t written = log.size(); written <= whole.size(); written += 997) {
        writeContent(orphan.log, whole.substr(0, written));
        writeContent(orphan.ring, ring);
        CHECK(recoverRing(orphan.ring, orphan.log).value() == whole.size() - written);
        REQUIRE(contentOf(orphan.log) == whole);
    }
}

TEST_CASE("recovery through a link removes the ring and the link")
{
    const Orphan orphan;
    const auto link = orphan.folder / "link";
    std::filesystem::create_symlink(orphan.ring, link);
    REQUIRE(recoverRing(link, orphan.log));
    CHECK_FALSE(std::filesystem::exists(orphan.ring));
    CHECK_FALSE(std::filesystem::is_symlink(link));
}

TEST_CASE("an agent that died before its first drain loses nothing")
{
    const Orphan orphan(500, -1);
    std::filesystem::remove(orphan.log);
    REQUIRE(recoverRing(orphan.ring, orphan.log));
    FeedReader reader(orphan.log, {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    checkPoints(seen, 500);
}

TEST_CASE("drops without a gap record are reported by the recovery")
{
    const Orphan orphan(10'000, 2000);
    REQUIRE(recoverRing(orphan.ring, orphan.log));
    FeedReader reader(orphan.log, {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.points.size() < 10'000);
    CHECK(seen.points.size() + seen.droppedInGaps() == 10'000);
}

TEST_CASE("the ring of another attempt is never mixed into a log")
{
    const Orphan old;
    TemporaryFolder folder;
    const auto log = folder / "rank-1.feed";
    const auto link = folder / "link";
    std::filesystem::create_symlink(old.ring, link);
    Recorder seen;
    {
        Preamble preamble = somePreamble();
        preamble.attemptId = "attempt-8/1";
        auto drain = RingDrain::create(folder / "rank-1.ring", log, preamble, minRingBytes).value();
        auto writer = FeedWriter::open(folder / "rank-1.ring").value();
        writer.write(writer.declare("y"), 1, 1);
        REQUIRE(drain.drain());
        drain.unlink();
    }
    FeedReader reader(log, link);
    REQUIRE(readAll(reader, seen));
    CHECK(seen.trace == std::vector<std::string>{"preamble attempt-8/1", "series 0 y []", "point 0 1 1.000000"});

    const std::string before = contentOf(log);
    const auto recovered = recoverRing(link, log);
    REQUIRE_FALSE(recovered);
    CHECK(recovered.error().code == ErrorCode::Corrupt);
    CHECK(contentOf(log) == before);
    CHECK(std::filesystem::exists(old.ring));
}

TEST_CASE("a dangling link is a feed without a ring")
{
    const Orphan orphan;
    REQUIRE(recoverRing(orphan.ring, orphan.log));
    std::filesystem::create_symlink(orphan.folder / "gone", orphan.folder / "link");
    FeedReader reader(orphan.log, orphan.folder / "link");
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    checkPoints(seen, 1000);
}

TEST_CASE("a log that extends beyond its ring is not changed")
{
    const Orphan orphan;
    const std::string log = contentOf(orphan.log);
    writeContent(orphan.log, log + std::string(minRingBytes, 'x'));
    const auto recovered = recoverRing(orphan.ring, orphan.log);
    REQUIRE_FALSE(recovered);
    CHECK(recovered.error().code == ErrorCode::Corrupt);
    CHECK(std::filesystem::file_size(orphan.log) == log.size() + minRingBytes);
    CHECK(std::filesystem::exists(orphan.ring));
}

TEST_CASE("a ring whose counters start far beyond its log is not changed, and neither is the log")
{
    const Orphan orphan;
    const std::string log = contentOf(orphan.log);
    std::string ring = contentOf(orphan.ring);
    const std::uint64_t far = std::uint64_t{1} << 42;
    std::memcpy(ring.data() + offsetof(RingHeader, drained), &far, sizeof far);
    std::memcpy(ring.data() + offsetof(RingHeader, committed), &far, sizeof far);
    writeContent(orphan.ring, ring);
    const auto recovered = recoverRing(orphan.ring, orphan.log);
    REQUIRE_FALSE(recovered);
    CHECK(recovered.error().code == ErrorCode::Corrupt);
    CHECK(contentOf(orphan.log) == log);
    CHECK(std::filesystem::exists(orphan.ring));
}

TEST_CASE("recovery of a truncated log saves the content of its ring, wherever the cut is")
{
    const Orphan orphan;
    const std::string log = contentOf(orphan.log);
    const std::string ring = contentOf(orphan.ring);
    const std::size_t points = log.size() - 400 * pointBytes;  // offset of the first point
    const auto preamble = static_cast<unsigned char>(log[4]);  // length of the preamble
    for (std::size_t kept = 0; kept < log.size(); kept += 61) {
        CAPTURE(kept);
        writeContent(orphan.log, log.substr(0, kept));
        writeContent(orphan.ring, ring);
        CHECK(recoverRing(orphan.ring, orphan.log).value() == 600 * pointBytes);
        CHECK_FALSE(std::filesystem::exists(orphan.ring));
        FeedReader reader(orphan.log, {});
        Recorder seen;
        const auto read = readAll(reader, seen);
        REQUIRE_MESSAGE(read.has_value(), (read ? std::string() : read.error().message));
        const std::size_t before = kept < points ? 0 : (kept - points) / pointBytes;
        REQUIRE(seen.points.size() == before + 600);
        for (std::size_t i = 0; i < seen.points.size(); ++i) {
            const Point &point = seen.points[i];
            REQUIRE(point.step == static_cast<std::int64_t>(i < before ? i : i + 400 - before));
            REQUIRE(point.value == static_cast<double>(point.step));
        }
        REQUIRE(reader.damage());
        const std::size_t wholeRecords = kept >= points     ? points + before * pointBytes
                                         : kept >= preamble ? preamble
                                                            : 0;
        CHECK(reader.lostBytes() == log.size() - wholeRecords);
    }
}

TEST_CASE("a damaged ring header is refused everywhere, and readers still return the log")
{
    const Orphan orphan;
    const std::string ring = contentOf(orphan.ring);
    const auto logPoints = 400U;
    std::string damaged = ring;
    ErrorCode expected = ErrorCode::Corrupt;
    SUBCASE("other magic")
    {
        damaged[0] = 'X';
    }
    SUBCASE("newer version")
    {
        damaged[8] = 2;
        expected = ErrorCode::Unsupported;
    }
    SUBCASE("other header size")
    {
        damaged[13] = 0;
    }
    SUBCASE("capacity not a power of two")
    {
        damaged[16] = 1;
    }
    SUBCASE("capacity beyond the file")
    {
        damaged[18] = 2;
    }
    SUBCASE("capacity huge")
    {
        damaged[23] = '\x80';
    }
    SUBCASE("truncated file")
    {
        damaged.resize(damaged.size() - 1);
    }
    SUBCASE("only a header")
    {
        damaged.resize(4096);
    }
    SUBCASE("less than a header")
    {
        damaged.resize(100);
    }
    writeContent(orphan.ring, damaged);

    FeedReader reader(orphan.log, orphan.ring);
    Recorder seen;
    const auto read = readAll(reader, seen);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == expected);
    CHECK(seen.points.size() == logPoints);
    CHECK(FeedWriter::open(orphan.ring).error().code == expected);
    CHECK(recoverRing(orphan.ring, orphan.log).error().code == expected);
    CHECK(std::filesystem::exists(orphan.ring));
}

TEST_CASE("any flipped bit in a ring's header never crashes a reader or the recovery")
{
    const Orphan orphan(300, 100);
    const std::string ring = contentOf(orphan.ring);
    const std::string log = contentOf(orphan.log);
    for (std::size_t at = 0; at < 192; ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = ring;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            writeContent(orphan.ring, damaged);
            writeContent(orphan.log, log);
            FeedReader reader(orphan.log, orphan.ring);
            Recorder seen;
            const auto read = readAll(reader, seen);
            CAPTURE(at);
            CAPTURE((read ? std::string("read") : read.error().message));
            if (at < 128 || at >= 136)  // only the field `drained` tells how much of the log is valid
                REQUIRE(seen.points.size() >= 100);
            (void)recoverRing(orphan.ring, orphan.log);
        }
    }
}

TEST_CASE("a ring that is truncated during reading is an error after the log, not a crash")
{
    const Orphan orphan;
    FeedReader reader(orphan.log, orphan.ring);
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    std::filesystem::resize_file(orphan.ring, 0);
    const auto read = reader.poll(seen);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::Corrupt);
    checkPoints(seen, 1000);
}

TEST_CASE("an agent detects a rank that overwrites its ring's counters")
{
    TemporaryFolder folder;
    auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value();
    std::string bytes = contentOf(folder / "ring");
    std::fstream file(folder / "ring", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(64);
    file.write("\xf8\xff\xff\xff\xff\xff\xff\x7f", 8);
    file.close();
    const auto drained = drain.drain();
    REQUIRE_FALSE(drained);
    CHECK(drained.error().code == ErrorCode::Corrupt);
}

TEST_CASE("truncating the log during writing does not move later records")
{
    const TemporaryFolder folder;
    const auto log = folder / "rank-0.feed";
    constexpr std::int64_t points = 3000;
    {
        auto drain = RingDrain::create(folder / "rank-0.ring", log, presentPreamble(), minRingBytes).value();
        auto writer = FeedWriter::open(folder / "rank-0.ring").value();
        const auto loss = writer.declare("loss");
        for (std::int64_t step = 0; step < points; ++step) {
            writer.write(loss, step, 1);
            if (step % 500 == 499)
                REQUIRE(drain.drain());
            if (step == 1700)
                std::filesystem::resize_file(log, 20'000);
        }
        drain.unlink();
    }
    FeedReader reader(log, {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    REQUIRE(reader.damage());
    CHECK(reader.lostBytes() > 0);
    CHECK(seen.points.back().step == points - 1);
    CHECK(seen.points.size() * pointBytes + reader.lostBytes() >= points * pointBytes);
}

TEST_CASE("an agent on a full disk keeps the bytes and saves them later")
{
    TemporaryFolder folder;
    auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value();
    auto writer = FeedWriter::open(folder / "ring").value();
    const auto id = writer.declare("x");
    for (int i = 0; i < 1000; ++i)
        writer.write(id, i, i);
    FeedReader reader(folder / "log", folder / "ring");
    Recorder seen;
    {
        const FileSizeLimit limit(5003);  // within a word
        REQUIRE_FALSE(drain.drain());
        REQUIRE(readAll(reader, seen));  // across the border of log and ring, which is now within a word
        FeedReader other(folder / "log", folder / "ring");
        Recorder fromTheStart;
        REQUIRE(readAll(other, fromTheStart));
        checkPoints(fromTheStart, 1000);
    }
    REQUIRE(drain.drain());
    checkPoints(seen, 1000);
    drain.unlink();
    FeedReader late(folder / "log", {});
    Recorder all;
    REQUIRE(readAll(late, all));
    checkPoints(all, 1000);
}

TEST_CASE("an agent that ends on a full disk leaves the ring, and the recovery saves it later")
{
    TemporaryFolder folder;
    {
        auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value();
        auto writer = FeedWriter::open(folder / "ring").value();
        const auto id = writer.declare("x");
        for (int i = 0; i < 1000; ++i)
            writer.write(id, i, i);
        const FileSizeLimit limit(5003);
        REQUIRE_FALSE(drain.drain());
        drain.unlink();
    }
    REQUIRE(recoverRing(folder / "ring", folder / "log"));
    CHECK_FALSE(std::filesystem::exists(folder / "ring"));
    FeedReader reader(folder / "log", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    checkPoints(seen, 1000);
}
