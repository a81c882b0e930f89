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

TEST_CASE("a name that a later writer declares again is the same curve")
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

TEST_CASE("what was read before the damage stays usable")
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
