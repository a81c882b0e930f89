// Appending to a log, and the errors if that is impossible.
#include "feedtesting.h"

#include "feed/format.h"
#include "feed/logwriter.h"

#include <algorithm>
#include <filesystem>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

TEST_CASE("a log that ends within a record is continued after its last whole one, with the same ids")
{
    const TemporaryFolder folder;
    std::string bytes;
    {
        auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
        writer.write(writer.declare("cpu", "%"), 0x700000000, 1, 1);
        writer.write(writer.declare("memory", "B"), 0x700000001, 2, 2);
        REQUIRE(writer.flush());
        bytes = contentOf(folder / "a.feed");
    }
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        writeContent(folder / "a.feed", bytes.substr(0, cut));
        Recorder seen;
        FeedReader following(folder / "a.feed", {});  // must handle the cut
        REQUIRE(readAll(following, seen));
        {
            auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
            writer.write(writer.declare("memory", "B"), 5, 3, 3);
            writer.write(writer.declare("cpu", "%"), 6, 4, 4);
            REQUIRE(writer.flush());
        }
        REQUIRE(readAll(following, seen));
        REQUIRE(seen.preambles.size() == 1);
        REQUIRE(seen.declarations.size() == 2);
        REQUIRE(seen.declarations[0].id != seen.declarations[1].id);
        REQUIRE(seen.points.size() >= 2);
        const Point &memory = seen.points[seen.points.size() - 2];
        const Point &cpu = seen.points.back();
        REQUIRE(memory.step == 5);
        REQUIRE(cpu.step == 6);
        for (const auto &declaration : seen.declarations)
            REQUIRE(declaration.name == (declaration.id == memory.series ? "memory" : "cpu"));
    }
}

TEST_CASE("a long log is opened for writing without being read, and appended to wherever it ends")
{
    const TemporaryFolder folder;
    constexpr std::int64_t count = 150'000;  // more than 3 MiB
    constexpr std::int64_t high = std::int64_t{3} << 32;
    {
        auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
        const auto cpu = writer.declare("cpu", "%");
        const auto memory = writer.declare("memory", "B");
        for (std::int64_t i = 0; i < count; ++i) {
            writer.write(i % 3 == 0 ? memory : cpu, high + i, i, static_cast<double>(i));
            if (i % 1000 == 0)
                REQUIRE(writer.flush());
        }
    }
    const std::string whole = contentOf(folder / "a.feed");
    REQUIRE(whole.size() > 3 * tableDistance);
    const auto writeOn = [&] {
        auto writer = LogWriter::open(folder / "a.feed", somePreamble());
        REQUIRE(writer);
        writer->write(writer->declare("memory", "B"), high + count, 1, 0.5);
        writer->write(writer->declare("new"), 7, 2, 0.25);
        REQUIRE(writer->flush());
    };

    // Bytes before the last table are not read.
    std::string damaged = whole;
    std::fill(damaged.begin() + 200'000, damaged.begin() + 2'000'000, '\0');
    writeContent(folder / "a.feed", damaged);
    writeOn();
    CHECK(contentOf(folder / "a.feed").compare(0, damaged.size(), damaged) == 0);

    std::vector<std::size_t> cuts{whole.size()};
    for (std::size_t around = 2 * tableDistance - 64; around < 2 * tableDistance + 160; around += 20)
        cuts.push_back(around);
    for (const std::size_t cut : cuts) {
        CAPTURE(cut);
        writeContent(folder / "a.feed", whole.substr(0, cut));
        writeOn();
        writeOn();
        Recorder seen;
        FeedReader reader(folder / "a.feed", {});
        REQUIRE(readAll(reader, seen));
        CHECK(reader.offset() == std::filesystem::file_size(folder / "a.feed"));
        REQUIRE(seen.declarations.size() == 3);
        const std::size_t points = seen.points.size();
        CHECK(points > cut / pointBytes - 10);
        bool inOrder = true;
        for (std::size_t i = 0; i + 4 < points; ++i)
            inOrder = inOrder && seen.points[i].step == high + static_cast<std::int64_t>(i);
        CHECK(inOrder);
        for (std::size_t i = points - 4; i < points; i += 2) {
            CHECK(seen.points[i].step == high + count);
            CHECK(seen.points[i].series == 1);
            CHECK(seen.points[i + 1].step == 7);
            CHECK(seen.points[i + 1].series == 2);
        }
    }
}

TEST_CASE("a log writer does not change a file that is not a feed")
{
    const TemporaryFolder folder;
    writeContent(folder / "notes.txt", "these are somebody's notes");
    const auto writer = LogWriter::open(folder / "notes.txt", somePreamble());
    REQUIRE_FALSE(writer);
    CHECK(writer.error().code == ErrorCode::Corrupt);
    CHECK(contentOf(folder / "notes.txt") == "these are somebody's notes");
}

TEST_CASE("a log writer that cannot write reports it, and saves everything later")
{
    const TemporaryFolder folder;
    auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
    const auto id = writer.declare("x");
    REQUIRE(writer.flush());
    for (int i = 0; i < 1000; ++i)
        writer.write(id, i, i, i);
    {
        const FileSizeLimit limit(5001);  // within a record
        const auto flushed = writer.flush();
        REQUIRE_FALSE(flushed);
        CHECK(flushed.error().code == ErrorCode::NoSpace);
    }
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.points.size() < 1000);
    REQUIRE(writer.flush());
    REQUIRE(readAll(reader, seen));
    REQUIRE(seen.points.size() == 1000);
    CHECK(seen.points.back().step == 999);
}

TEST_CASE("a log writer whose disk stays full limits its memory, drops records, and reports the number")
{
    const TemporaryFolder folder;
    auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
    const auto id = writer.declare("x");
    REQUIRE(writer.flush());
    constexpr std::int64_t points = 300'000;  // 7 MB
    {
        const FileSizeLimit limit(1000);
        for (std::int64_t i = 0; i < points; ++i)
            writer.write(id, i, i, 1);
        REQUIRE_FALSE(writer.flush());
    }
    REQUIRE(writer.flush());
    writer.write(id, points, points, 1);
    REQUIRE(writer.flush());
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.gaps.size() == 1);
    CHECK(seen.droppedInGaps() > 0);
    CHECK(static_cast<std::int64_t>(seen.points.size() + seen.droppedInGaps()) == points + 1);
    CHECK(seen.points.back().step == points);
}
