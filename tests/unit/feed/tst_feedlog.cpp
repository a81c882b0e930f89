#include "feedtesting.h"

#include "feed/logwriter.h"

#include <algorithm>
#include <fstream>
#include <random>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

constexpr std::size_t somePreambleBytes = 56;

/// A small feed with every kind of record, as a log file.
std::string everyKind(const std::filesystem::path &path)
{
    {
        auto writer = LogWriter::open(path, somePreamble()).value();
        const auto cpu = writer.declare("cpu", "%");
        const auto memory = writer.declare("memory", "B");
        writer.write(cpu, 1, 10, 50.5);
        writer.write(memory, 0x500000001, 11, 1e9);
        writer.write(cpu, -3, 12, 51.5);
        REQUIRE(writer.flush());
    }
    std::string bytes = contentOf(path);
    // A gap, an event, and a record of a kind that only a later version knows.
    const auto word = [&bytes](std::uint64_t value) { bytes.append(reinterpret_cast<const char *>(&value), 8); };
    word(5 | std::uint64_t{24} << 32);
    word(13);
    word(42);
    word(4 | std::uint64_t{40} << 32);
    word(14);
    word(7);
    word(3 | std::uint64_t{5} << 16);
    bytes.append("saved\0\0\0", 8);
    word(200 | std::uint64_t{16} << 32);
    word(0xdeadbeef);
    word(3 | std::uint64_t{0} << 16 | std::uint64_t{0xfffffff0} << 32);
    word(15);
    word(0x3ff0000000000000);
    writeContent(path, bytes);
    return bytes;
}

}  // namespace

TEST_CASE("every kind of record is read, and one of an unknown kind is skipped")
{
    const TemporaryFolder folder;
    everyKind(folder / "a.feed");
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.trace
          == std::vector<std::string>{"preamble attempt-7/1", "series 0 cpu [%]", "series 1 memory [B]",
                                      "point 0 1 50.500000", "point 1 21474836481 1000000000.000000",
                                      "point 0 -3 51.500000", "gap 42", "event 3 7 saved", "point 0 -16 1.000000"});
    CHECK(seen.points[1].timeNs == 11);
    CHECK(seen.events[0].timeNs == 14);
}

TEST_CASE("a log cut at any byte gives the whole records before the cut, and goes on when the rest comes")
{
    const TemporaryFolder folder;
    const std::string whole = everyKind(folder / "whole.feed");
    Recorder all;
    FeedReader wholeReader(folder / "whole.feed", {});
    REQUIRE(readAll(wholeReader, all));

    std::size_t lastCount = 0;
    for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
        writeContent(folder / "cut.feed", whole.substr(0, cut));
        FeedReader reader(folder / "cut.feed", {});
        Recorder seen;
        REQUIRE(readAll(reader, seen));
        REQUIRE(seen.trace.size() >= lastCount);
        REQUIRE(seen.trace.size() <= lastCount + 1);
        REQUIRE(std::equal(seen.trace.begin(), seen.trace.end(), all.trace.begin()));
        REQUIRE(reader.offset() <= cut);
        lastCount = seen.trace.size();

        writeContent(folder / "cut.feed", whole);
        REQUIRE(readAll(reader, seen));
        REQUIRE(seen.trace == all.trace);
    }
    CHECK(lastCount == all.trace.size());
}

TEST_CASE("a flipped bit anywhere never crashes, and everything before it is handed out")
{
    const TemporaryFolder folder;
    const std::string whole = everyKind(folder / "whole.feed");
    // How many records end at or before each byte.
    std::vector<std::size_t> recordsBefore(whole.size() + 1, 0);
    Recorder all;
    for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
        writeContent(folder / "cut.feed", whole.substr(0, cut));
        FeedReader reader(folder / "cut.feed", {});
        Recorder seen;
        REQUIRE(readAll(reader, seen));
        recordsBefore[cut] = seen.trace.size();
        all = seen;
    }

    std::size_t noticed = 0;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            writeContent(folder / "damaged.feed", damaged);
            FeedReader reader(folder / "damaged.feed", {});
            Recorder seen;
            const auto read = readAll(reader, seen);
            REQUIRE(seen.trace.size() >= recordsBefore[at]);
            REQUIRE(std::equal(seen.trace.begin(), seen.trace.begin() + static_cast<std::ptrdiff_t>(recordsBefore[at]),
                               all.trace.begin()));
            if (!read) {
                ++noticed;
                const bool known =
                    read.error().code == ErrorCode::Corrupt || read.error().code == ErrorCode::Unsupported;
                REQUIRE(known);
                REQUIRE(read.error().message.find("offset") != std::string::npos);
                REQUIRE(readAll(reader, seen).error().message == read.error().message);
            }
        }
    }
    CHECK(noticed > 0);
}

TEST_CASE("reading goes on after damaged bytes, and says how many were left out and why")
{
    const TemporaryFolder folder;
    constexpr int points = 100'000;  // two megabytes, so that there are tables
    {
        auto writer = LogWriter::open(folder / "whole.feed", somePreamble()).value();
        const auto loss = writer.declare("loss", "nats");
        const auto rate = writer.declare("lr");
        for (int i = 0; i < points; ++i)
            writer.write(i % 10 == 0 ? rate : loss, i, somePreamble().createdNs + i * 1000, i * 0.5);
        REQUIRE(writer.flush());
    }
    const std::string whole = contentOf(folder / "whole.feed");
    std::mt19937_64 random(5);
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round);
        std::string damaged = whole;
        const std::size_t at = somePreambleBytes + random() % (whole.size() - 500'000);
        const std::size_t bytes = 1 + (round % 3 == 0 ? random() % 300'000 : random() % 64);
        for (std::size_t i = at; i < at + bytes; ++i)
            damaged[i] = static_cast<char>(round % 2 == 0 ? random() : 0xff);
        writeContent(folder / "damaged.feed", damaged);
        FeedReader reader(folder / "damaged.feed", {});
        Recorder seen;
        REQUIRE(readAll(reader, seen, 1 + random() % 1'000'000));
        CHECK(reader.offset() == whole.size());
        // Values alone may be other ones: those of the points that were hit.
        std::int64_t before = -1;
        std::size_t wrong = 0;
        for (const Point &point : seen.points) {
            wrong += point.value == static_cast<double>(point.step) * 0.5 && point.step > before ? 0 : 1;
            before = point.step;
        }
        CHECK(wrong <= bytes / pointBytes + 2);
        CHECK(seen.points.size() >= points - bytes / pointBytes - 10);
        if (seen.points.size() + 1 < points) {
            REQUIRE(reader.damage());
            CHECK(reader.damage()->message.find("damaged.feed: damaged at offset") != std::string::npos);
            CHECK(reader.damage()->message.find("reading went on at offset") != std::string::npos);
            CHECK(reader.lostBytes() >= bytes / 2);
            CHECK(reader.lostBytes() <= bytes + 300);
        }
    }
}

TEST_CASE("a series whose declaration is lost has its points, and its name from the next table")
{
    const TemporaryFolder folder;
    {
        auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
        const auto loss = writer.declare("loss", "nats");
        for (int i = 0; i < 60'000; ++i)
            writer.write(loss, i, somePreamble().createdNs + i, i);
        REQUIRE(writer.flush());
    }
    std::string bytes = contentOf(folder / "a.feed");
    bytes[somePreambleBytes] = 0;
    writeContent(folder / "a.feed", bytes);
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.points.size() == 60'000);
    REQUIRE(seen.declarations.size() == 1);
    CHECK(seen.declarations[0].name == "series 0");
    CHECK(reader.lostBytes() == 24);
}

TEST_CASE("a feed with a damaged preamble is read from the records after it on")
{
    const TemporaryFolder folder;
    constexpr std::size_t points = 5'000;
    {
        auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
        const auto loss = writer.declare("loss", "nats");
        for (std::size_t i = 0; i < points; ++i)
            writer.write(loss, static_cast<std::int64_t>(i), somePreamble().createdNs + static_cast<std::int64_t>(i),
                         1);
        REQUIRE(writer.flush());
    }
    const std::string whole = contentOf(folder / "a.feed");
    for (std::size_t at = 0; at < 40; ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            CAPTURE(at);
            CAPTURE(bit);
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            writeContent(folder / "a.feed", damaged);
            FeedReader reader(folder / "a.feed", {});
            Recorder seen;
            const auto read = readAll(reader, seen);
            if (!read) {
                CHECK(read.error().code == ErrorCode::Unsupported);
                CHECK((at >= 16 && at < 20));  // its version is another one
                continue;
            }
            CHECK(reader.offset() == whole.size());
            CHECK(seen.points.back().step == points - 1);
            CHECK(seen.points.size() + maxPreambleBytes / pointBytes >= points);
            if (seen.points.size() < points || seen.preambles.empty())
                CHECK(reader.lostBytes() > 0);
        }
    }
    std::string cut(whole.size(), '\0');
    std::copy(whole.begin() + 30'000, whole.end(), cut.begin() + 30'000);
    writeContent(folder / "a.feed", cut);
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(reader.lostBytes() >= 30'000);
    CHECK(reader.lostBytes() <= 30'000 + pointBytes);
    CHECK(seen.points.back().step == points - 1);
}

TEST_CASE("steps go on where they were when the record that says their high half is lost")
{
    const TemporaryFolder folder;
    constexpr std::int64_t carry = std::int64_t{3} << 32;
    for (const std::int64_t first : {carry - 2000, -std::int64_t{2000}, carry + 5}) {
        CAPTURE(first);
        const auto path = folder / std::to_string(first).c_str();
        {
            auto writer = LogWriter::open(path, somePreamble()).value();
            const auto loss = writer.declare("loss", "nats");
            for (std::int64_t i = 0; i < 6000; ++i)
                writer.write(loss, first + i, somePreamble().createdNs + i, 1);
            REQUIRE(writer.flush());
        }
        std::string bytes = contentOf(path);
        // Around the 2000th point.
        std::fill(bytes.begin() + 2000 * 24 - 4800, bytes.begin() + 2000 * 24 + 4800, '\0');
        writeContent(path, bytes);
        FeedReader reader(path, {});
        Recorder seen;
        REQUIRE(readAll(reader, seen));
        REQUIRE(seen.points.size() > 5500);
        CHECK(seen.points.front().step == first);
        CHECK(seen.points.back().step == first + 5999);
        CHECK(std::is_sorted(seen.points.begin(), seen.points.end(),
                             [](const Point &a, const Point &b) { return a.step < b.step; }));
    }
}

TEST_CASE("damage at the end of a feed that still grows is passed over when more comes")
{
    const TemporaryFolder folder;
    auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
    const auto loss = writer.declare("loss");
    const auto write = [&](int from, int to) {
        for (int i = from; i < to; ++i)
            writer.write(loss, i, somePreamble().createdNs + i, i);
        REQUIRE(writer.flush());
    };
    write(0, 10);
    std::string bytes = contentOf(folder / "a.feed");
    std::fstream file(folder / "a.feed", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(bytes.size() - pointBytes));
    file.write("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    file.close();
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    for (int i = 0; i < 2; ++i)
        CHECK(reader.poll(seen).error().code == ErrorCode::Corrupt);
    CHECK(seen.points.size() == 9);
    write(10, 20);
    REQUIRE(readAll(reader, seen));
    CHECK(seen.points.size() == 19);
    CHECK(reader.lostBytes() == pointBytes);
}

TEST_CASE("a feed of a newer version is refused as such, and other files as no feed")
{
    const TemporaryFolder folder;
    std::string bytes = everyKind(folder / "a.feed");
    bytes[16] = 2;
    writeContent(folder / "newer.feed", bytes);
    writeContent(folder / "text.feed", "this is no feed at all, it is a text file of some length");
    writeContent(folder / "zero.feed", std::string(4096, '\0'));
    Recorder seen;

    FeedReader newer(folder / "newer.feed", {});
    const auto refused = newer.poll(seen);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::Unsupported);
    CHECK(refused.error().message.find("version 2") != std::string::npos);
    for (const char *name : {"text.feed", "zero.feed"}) {
        FeedReader reader(folder / name, {});
        const auto read = reader.poll(seen);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == ErrorCode::Corrupt);
        CHECK(read.error().message.find("offset 0") != std::string::npos);
        CHECK(read.error().message.find(name) != std::string::npos);
    }
    FeedReader folderReader(folder.path, {});
    REQUIRE_FALSE(folderReader.poll(seen));
    CHECK(seen.trace.empty());
}

TEST_CASE("files that are not there yet are found when they come")
{
    const TemporaryFolder folder;
    FeedReader reader(folder / "late.feed", folder / "late.ring");
    Recorder seen;
    CHECK(reader.poll(seen).value() == 0);
    everyKind(folder / "late.feed");
    REQUIRE(readAll(reader, seen));
    CHECK(seen.trace.size() == 9);
}

TEST_CASE("one poll reads no more than it was allowed, and the next ones the rest")
{
    const TemporaryFolder folder;
    {
        auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
        const auto id = writer.declare("x");
        for (int i = 0; i < 50'000; ++i)
            writer.write(id, i, i, i);
        REQUIRE(writer.flush());
    }
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    REQUIRE(reader.poll(seen, 100'000));
    CHECK(reader.offset() <= 100'000);
    CHECK(reader.offset() > 100'000 - pointBytes);
    REQUIRE(readAll(reader, seen, 1));
    CHECK(seen.points.size() == 50'000);
}

TEST_CASE("a log that was cut below what was read is an error, not silence")
{
    const TemporaryFolder folder;
    const std::string whole = everyKind(folder / "a.feed");
    FeedReader reader(folder / "a.feed", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    std::filesystem::resize_file(folder / "a.feed", whole.size() - 30);
    const auto read = reader.poll(seen);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::Corrupt);
}

TEST_CASE("a log that ends inside a record is continued at its last whole one, with the same ids")
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
        FeedReader following(folder / "a.feed", {});  // must not trip over the cut
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

TEST_CASE("a long log is opened for writing without being read, and one that ends anywhere is written on")
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

    // What lies before the last table is not looked at.
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

TEST_CASE("a log writer does not touch a file that is no feed")
{
    const TemporaryFolder folder;
    writeContent(folder / "notes.txt", "these are somebody's notes");
    const auto writer = LogWriter::open(folder / "notes.txt", somePreamble());
    REQUIRE_FALSE(writer);
    CHECK(writer.error().code == ErrorCode::Corrupt);
    CHECK(contentOf(folder / "notes.txt") == "these are somebody's notes");
}

TEST_CASE("a log writer that cannot write says so, and saves everything when it can again")
{
    const TemporaryFolder folder;
    auto writer = LogWriter::open(folder / "a.feed", somePreamble()).value();
    const auto id = writer.declare("x");
    REQUIRE(writer.flush());
    for (int i = 0; i < 1000; ++i)
        writer.write(id, i, i, i);
    {
        const FileSizeLimit limit(5001);  // inside a record
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

TEST_CASE("a log writer whose disk stays full keeps a limit, drops, and tells how many")
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
