// Reading all of a log, parts of it, and files that are not logs.
#include "everykind.h"
#include "feedtesting.h"

#include "feed/logwriter.h"

#include <algorithm>
#include <filesystem>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

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

TEST_CASE("a log truncated at any byte gives the whole records before the cut, and continues when the rest arrives")
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

TEST_CASE("a feed of a newer version is refused as such, and other files as not being feeds")
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

TEST_CASE("missing files are found once they exist")
{
    const TemporaryFolder folder;
    FeedReader reader(folder / "late.feed", folder / "late.ring");
    Recorder seen;
    CHECK(reader.poll(seen).value() == 0);
    everyKind(folder / "late.feed");
    REQUIRE(readAll(reader, seen));
    CHECK(seen.trace.size() == 9);
}

TEST_CASE("one poll reads no more than its limit, and the next ones read the rest")
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

TEST_CASE("a log that is truncated below the read position is an error, not silence")
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
