// Reading logs whose bytes have changed.
#include "everykind.h"
#include "feedtesting.h"

#include "feed/logwriter.h"

#include <algorithm>
#include <fstream>
#include <random>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

TEST_CASE("a flipped bit anywhere never crashes, and everything before it is returned")
{
    const TemporaryFolder folder;
    const std::string whole = everyKind(folder / "whole.feed");
    // The number of records that end at or before each byte.
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

TEST_CASE("reading continues after damaged bytes, and reports their number and the reason")
{
    const TemporaryFolder folder;
    constexpr int points = 100'000;  // two megabytes, enough for several tables
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
        // Only the values of damaged points may differ.
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
            CHECK(reader.damage()->message.find("reading continued at offset") != std::string::npos);
            CHECK(reader.lostBytes() >= bytes / 2);
            CHECK(reader.lostBytes() <= bytes + 300);
        }
    }
}

TEST_CASE("a series whose declaration is lost has its points, and gets its name from the next table")
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

TEST_CASE("a feed with a damaged preamble is read from the following records on")
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
                CHECK((at >= 16 && at < 20));  // its version has changed
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

TEST_CASE("steps continue at the right value if the record with their high half is lost")
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

TEST_CASE("damage at the end of a growing feed is skipped once more data arrives")
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
