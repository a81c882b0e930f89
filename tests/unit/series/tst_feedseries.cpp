#include "seriestesting.h"

#include "feed/feedwriter.h"
#include "feed/ring.h"

#include <fstream>

using namespace seriestesting;

TEST_CASE("series, events, preamble and drops of a live feed arrive as it grows")
{
    const TemporaryFolder folder;
    auto drain =
        feed::RingDrain::create(folder.path / "ring", folder.path / "log", {3, 4, 1, "a"}, feed::minRingBytes).value();
    FeedSeries curves({folder.path / "log", folder.path / "ring", {}});
    REQUIRE(curves.poll());
    CHECK(curves.preamble().rank == 3);
    CHECK(curves.find("loss") == nullptr);

    auto writer = feed::FeedWriter::open(folder.path / "ring").value();
    const auto loss = writer.declare("loss", "nats");
    writer.write(loss, 1, 0.5);
    writer.event(feed::EventKind::Epoch, 1, "epoch 1");
    REQUIRE(curves.poll());
    const Series *const found = curves.find("loss");
    REQUIRE(found != nullptr);
    CHECK(found->unit() == "nats");
    CHECK(found->size() == 1);
    CHECK(curves.events().at(0).text == "epoch 1");

    for (int i = 0; i < 5000; ++i)
        writer.write(loss, i, 1);
    REQUIRE(drain.drain());
    writer.write(loss, 5000, 1);
    REQUIRE(curves.poll());
    CHECK(curves.droppedRecords() == writer.dropped());
    CHECK(curves.find("loss") == found);
    CHECK(found->back().step == 5000);
}

TEST_CASE("a name declared again by a later writer is the same curve")
{
    const TemporaryFolder folder;
    auto drain = feed::RingDrain::create(folder.path / "ring", folder.path / "log", {}, feed::minRingBytes).value();
    for (int program = 0; program < 2; ++program) {
        auto writer = feed::FeedWriter::open(folder.path / "ring").value();
        writer.write(writer.declare("loss"), program, program);
    }
    FeedSeries curves({folder.path / "log", folder.path / "ring", {}});
    REQUIRE(curves.poll());
    REQUIRE(curves.all().size() == 1);
    CHECK(curves.all()[0].size() == 2);
}

TEST_CASE("damage between records is skipped and reported, also by the index")
{
    const TemporaryFolder folder;
    constexpr std::int64_t start = 1'763'674'200'000'000'000;
    {
        auto writer = feed::LogWriter::open(folder.path / "log", {0, 1, start, "1-1-1"}).value();
        const auto id = writer.declare("x");
        for (int i = 0; i < 200'000; ++i) {
            writer.write(id, i, start + i, i);
            if (i % 10'000 == 9'999)
                REQUIRE(writer.flush());
        }
    }
    {
        std::fstream file(folder.path / "log", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(2'000'000);
        file << std::string(1000, '\0');
    }
    for (const IndexUse use : {IndexUse::None, IndexUse::Write, IndexUse::Read}) {
        FeedSeries curves(folder.files(), use);
        while (curves.poll().value() > 0) {
        }
        curves.save();
        CHECK(curves.damage().find("bytes of " + (folder.path / "log").string() + " could not be read")
              != std::string::npos);
        CHECK(curves.find("x")->size() < 200'000);
        CHECK(curves.find("x")->size() > 200'000 - 50);
        CHECK(curves.find("x")->back().step == 199'999);
    }
}

TEST_CASE("a feed with a damaged preamble has its curves, and no index that could be mistaken for another's")
{
    const TemporaryFolder folder;
    constexpr std::int64_t start = 1'763'674'200'000'000'000;
    {
        auto writer = feed::LogWriter::open(folder.path / "log", {0, 1, start, "1-1-1"}).value();
        const auto id = writer.declare("x");
        for (int i = 0; i < 200'000; ++i) {
            writer.write(id, i, start + i, i);
            if (i % 10'000 == 9'999)
                REQUIRE(writer.flush());
        }
    }
    {
        FeedSeries whole(folder.files(), IndexUse::Write);
        while (whole.poll().value() > 0) {
        }
    }
    {
        std::fstream file(folder.path / "log", std::ios::in | std::ios::out | std::ios::binary);
        file << std::string(16, '\xff');
    }
    for (const IndexUse use : {IndexUse::None, IndexUse::Read, IndexUse::Write, IndexUse::Write}) {
        FeedSeries curves(folder.files(), use);
        while (curves.poll().value() > 0) {
        }
        curves.save();
        CHECK(curves.damage().find("damaged at offset 0") != std::string::npos);
        REQUIRE(curves.find("x"));
        CHECK(curves.find("x")->size() == 200'000);
    }
}

TEST_CASE("data read before the damage remains usable")
{
    const TemporaryFolder folder;
    {
        auto writer = feed::LogWriter::open(folder.path / "log", {}).value();
        const auto id = writer.declare("x");
        writer.write(id, 1, 2, 3);
        REQUIRE(writer.flush());
        std::ofstream(folder.path / "log", std::ios::app | std::ios::binary) << "garbage and more of it";
    }
    FeedSeries curves({folder.path / "log", {}, {}});
    for (int i = 0; i < 2; ++i) {
        const auto polled = curves.poll();
        REQUIRE_FALSE(polled);
        CHECK(polled.error().code == ErrorCode::Corrupt);
    }
    CHECK(curves.find("x")->size() == 1);
}
