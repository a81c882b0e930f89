// What the agent writes if the disk is full or a ring is unusable. A limit on the file size makes writes fail as on a
// full disk.
#include "feed/feedreader.h"
#include "feed/feedwriter.h"
#include "launch/eventjournal.h"
#include "launch/rankfeeds.h"
#include "temporaryfolder.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::launch;

namespace {

/// Limits the size of this process's files during its lifetime.
class FileSizeLimit {
public:
    explicit FileSizeLimit(std::uint64_t bytes)
    {
        ::signal(SIGXFSZ, SIG_IGN);
        REQUIRE(::getrlimit(RLIMIT_FSIZE, &m_before) == 0);
        rlimit tight = m_before;
        tight.rlim_cur = bytes;
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &tight) == 0);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    rlimit m_before{};
};

struct PointCounter : feed::RecordVisitor {
    std::int64_t points = 0;
    void point(const feed::Point &point) override
    {
        CHECK(point.step == points);
        ++points;
    }
    std::uint64_t dropped = 0;
    void gap(const feed::Gap &gap) override { dropped += gap.dropped; }
};

LaunchSpec oneRank()
{
    LaunchSpec spec;
    spec.attemptId = "full/disk-" + std::to_string(::getpid());
    spec.argv = {"true"};
    spec.workingFolder = "/";
    return spec;
}

}  // namespace

TEST_CASE("events that cannot be written wait, and follow later in order")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "events.jsonl";
    EventJournal journal(AttemptEventLog::open(file).value());
    AttemptEvent event;
    event.kind = AttemptEventKind::RankStarted;
    event.rank = 0;
    journal.write(event);
    {
        const FileSizeLimit full(std::filesystem::file_size(file) + 5);
        for (event.rank = 1; event.rank < 4; ++event.rank)
            journal.write(event);
        CHECK_FALSE(journal.flush());
    }
    CHECK(journal.flush());
    AttemptEventReader reader(file);
    const auto events = reader.poll();
    REQUIRE(events.size() == 4);
    for (int i = 0; i < 4; ++i)
        CHECK(events[static_cast<std::size_t>(i)].rank == i);
    CHECK(reader.skippedLines() == 0);
}

TEST_CASE("telemetry that cannot be written stays in its ring, which is kept until it can")
{
    const TemporaryFolder folder;
    const AttemptLayout layout{folder.path};
    auto feeds = RankFeeds::create(oneRank(), layout);
    REQUIRE(feeds.has_value());
    const auto ring = feeds->ringPath(0);
    CHECK(std::filesystem::read_symlink(layout.rankRing(0)) == ring);
    {
        auto writer = feed::FeedWriter::open(ring).value();
        const auto loss = writer.declare("loss");
        for (int step = 0; step < 100; ++step)
            writer.write(loss, step, 0.5);
    }
    {
        const FileSizeLimit full(1000);
        feeds->drain();
        CHECK(feeds->problems().find("telemetry of rank 0: ") == 0);
        CHECK_FALSE(feeds->finish());
        CHECK(std::filesystem::exists(ring));
    }
    CHECK(feeds->finish());
    CHECK(feeds->problems().empty());
    CHECK_FALSE(std::filesystem::exists(ring));
    CHECK_FALSE(std::filesystem::is_symlink(layout.rankRing(0)));

    PointCounter counter;
    feed::FeedReader reader(layout.rankFeed(0), {});
    REQUIRE(reader.poll(counter).has_value());
    CHECK(counter.points == 100);
}

TEST_CASE("a ring kept because its log cannot be written keeps its link")
{
    const TemporaryFolder folder;
    const AttemptLayout layout{folder.path};
    auto feeds = RankFeeds::create(oneRank(), layout);
    REQUIRE(feeds.has_value());
    const auto ring = feeds->ringPath(0);
    std::uint64_t dropped = 0;
    {
        auto writer = feed::FeedWriter::open(ring).value();
        const auto loss = writer.declare("loss");
        for (std::uint64_t step = 0; step <= feed::defaultRingBytes / feed::pointBytes; ++step)
            writer.write(loss, static_cast<std::int64_t>(step), 0.5);
        dropped = writer.dropped();
        REQUIRE(dropped > 0);  // the agent reports them after draining everything
    }
    feeds->drain();
    {
        const FileSizeLimit full(std::filesystem::file_size(layout.rankFeed(0)));
        CHECK_FALSE(feeds->finish());
        CHECK(std::filesystem::exists(ring));
        CHECK(std::filesystem::is_symlink(layout.rankRing(0)));
    }
    CHECK(feeds->finish());
    CHECK_FALSE(std::filesystem::exists(ring));
    CHECK_FALSE(std::filesystem::is_symlink(layout.rankRing(0)));
    PointCounter counter;
    feed::FeedReader reader(layout.rankFeed(0), {});
    REQUIRE(reader.poll(counter).has_value());
    CHECK(counter.dropped == dropped);
}

TEST_CASE("overwritten counters of a ring are restored by the rank's next point, and nothing is lost")
{
    const TemporaryFolder folder;
    const AttemptLayout layout{folder.path};
    auto feeds = RankFeeds::create(oneRank(), layout);
    REQUIRE(feeds.has_value());
    auto writer = feed::FeedWriter::open(feeds->ringPath(0)).value();
    const auto loss = writer.declare("loss");
    for (int step = 0; step < 100; ++step)
        writer.write(loss, step, 0.5);
    {
        std::fstream file(feeds->ringPath(0), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(offsetof(feed::RingHeader, committed));
        file.write("\xf8\xff\xff\xff\xff\xff\xff\x7f", 8);
    }
    feeds->drain();
    CHECK(feeds->problems().find("telemetry of rank 0: ") == 0);
    writer.write(loss, 100, 0.5);
    feeds->drain();
    CHECK(feeds->problems().empty());
    writer.write(loss, 101, 0.5);
    CHECK(feeds->finish());

    PointCounter counter;
    feed::FeedReader reader(layout.rankFeed(0), {});
    REQUIRE(reader.poll(counter).has_value());
    CHECK(counter.points == 102);
    CHECK(writer.dropped() == 0);
}

TEST_CASE("if one ring cannot be created, none remains")
{
    const TemporaryFolder folder;
    const AttemptLayout layout{folder.path};
    LaunchSpec spec = oneRank();
    spec.ranks = 3;
    std::filesystem::create_directory(layout.rankFeed(2));  // blocks the feed of the third rank
    const auto feeds = RankFeeds::create(spec, layout);
    REQUIRE_FALSE(feeds.has_value());
    CHECK(feeds.error().message.find("rank-2.feed") != std::string::npos);
    CHECK_FALSE(std::filesystem::is_symlink(layout.rankRing(0)));
    bool anyOfOurs = false;
    for (const auto &entry : std::filesystem::directory_iterator(feed::ringFolder()))
        anyOfOurs =
            anyOfOurs
            || entry.path().filename().string().find("full_disk-" + std::to_string(::getpid())) != std::string::npos;
    CHECK_FALSE(anyOfOurs);
}
