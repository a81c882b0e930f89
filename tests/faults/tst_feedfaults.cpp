// Rank and agent processes, killed, stopped and starved at random times; counts are exact.
#include "childprocess.h"
#include "feedtesting.h"

#include "feed/dropaccount.h"
#include "feed/feedwriter.h"
#include "feed/ring.h"
#include "feed/ringmapping.h"
#include "feed/ringrecovery.h"

#include <algorithm>
#include <map>
#include <optional>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <thread>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;
using namespace faulttesting;

namespace {

double valueAt(std::int64_t step)
{
    return static_cast<double>(step) * 0.5;
}

/// Writes points 0, 1, 2, … of a separate series from every thread until it is killed.
int endlessRank(const std::filesystem::path &ring, int threads)
{
    auto writer = FeedWriter::open(ring);
    if (!writer)
        return 1;
    const auto report = [&](const std::string &name) {
        const auto id = writer->declare(name);
        for (std::int64_t step = 0;; ++step)
            writer->write(id, step, valueAt(step));
    };
    for (int i = 1; i < threads; ++i)
        std::thread(report, "thread " + std::to_string(i)).detach();
    report("thread 0");
    return 0;
}

int drainForEver(RingDrain &drain)
{
    while (drain.drain()) {
    }
    return 1;
}

/// A reader's view of a stream whose series count 0, 1, 2, …
class Ledger final : public RecordVisitor {
public:
    std::map<std::uint16_t, std::int64_t> next;
    std::uint64_t points = 0;
    std::uint64_t dropped = 0;
    bool broken = false;  ///< a record came twice, late or wrong
    bool missing = false;
    void point(const Point &value) override
    {
        std::int64_t &expected = next[value.series];
        broken = broken || value.step < expected || value.value != valueAt(value.step);
        missing = missing || value.step != expected;
        expected = value.step + 1;
        ++points;
    }
    void gap(const Gap &value) override { dropped += value.dropped; }
    /// Returns the number of missing points before the last one read.
    std::uint64_t skipped() const
    {
        std::uint64_t all = 0;
        for (const auto &[series, end] : next)
            all += static_cast<std::uint64_t>(end);
        return all - points;
    }
};

struct Feed {
    TemporaryFolder folder;
    RingDrain drain;
    RingMapping ring;
    explicit Feed(std::uint64_t capacity = minRingBytes)
        : drain(RingDrain::create(folder / "ring", folder / "log", somePreamble(), capacity).value()),
          ring(RingMapping::open(folder / "ring", RingMapping::Access::Read).value())
    {}
    std::uint64_t committed() const { return ring.header().committed.load(std::memory_order_acquire); }
    std::uint64_t dropped() const { return ring.header().dropped.load(std::memory_order_acquire); }
    Ledger read(bool withRing) const
    {
        FeedReader reader(folder / "log", withRing ? folder / "ring" : std::filesystem::path());
        Ledger ledger;
        REQUIRE(readAll(reader, ledger));
        CHECK(reader.offset() == (withRing ? committed() : std::filesystem::file_size(folder / "log")));
        return ledger;
    }
};

/// Kills a rank, and checks that exactly what it had committed is there, and that a next rank continues after it.
void killRankAndCheck(int threads, bool drained)
{
    Feed feed;
    {
        ChildProcess rank([&] { return endlessRank(feed.folder / "ring", threads); });
        const std::uint64_t enough = randomUpTo(drained ? 300'000 : minRingBytes - 100);
        REQUIRE(eventually([&] {
            if (drained)
                REQUIRE(feed.drain.drain());
            return feed.committed() >= enough;
        }));
        spin(std::chrono::microseconds(200));
        rank.kill();
    }
    const Ledger live = feed.read(true);
    CHECK_FALSE(live.broken);
    CHECK(live.dropped <= feed.dropped());
    // Every missing point was counted. A thread that was dropping when it was killed may have counted after its last
    // point.
    CHECK(live.skipped() <= feed.dropped());
    if (feed.dropped() == 0)
        CHECK_FALSE(live.missing);
    if (threads == 1)
        CHECK(live.skipped() == live.dropped);

    REQUIRE(feed.drain.drain());
    {
        auto next = FeedWriter::open(feed.folder / "ring");
        REQUIRE(next);
        const auto id = next->declare("after");
        for (std::int64_t step = 0; step < 100; ++step)
            next->write(id, step, valueAt(step));
    }
    feed.drain.unlink();
    const Ledger late = feed.read(false);
    CHECK_FALSE(late.broken);
    CHECK(late.points == live.points + 100);
    CHECK(late.dropped == feed.dropped());
}

}  // namespace

TEST_CASE("a rank killed with SIGKILL at any time leaves exactly what it committed")
{
    for (int round = 0; round < rounds(40); ++round) {
        CAPTURE(round);
        const bool drained = round % 4 != 3;
        killRankAndCheck(round % 2 == 0 ? 1 : 3, drained);
    }
}

TEST_CASE("an agent and its recovery, killed at any time, keep every committed byte exactly once")
{
    for (int round = 0; round < rounds(20); ++round) {
        CAPTURE(round);
        Feed feed(512 * 1024);
        std::string expected;
        {
            ChildProcess agent([&] { return drainForEver(feed.drain); });
            ChildProcess rank([&] { return endlessRank(feed.folder / "ring", 1); });
            const std::uint64_t enough = randomUpTo(1'000'000);
            REQUIRE(eventually([&] { return feed.committed() >= enough; }));
            if (round % 2 == 0) {
                // A long tail for the recovery: the agent falls behind until the ring is full.
                agent.stop();
                REQUIRE(eventually([&] { return feed.dropped() > 0; }));
            }
            agent.kill();
            rank.kill();
        }
        expected = contentOf(feed.folder / "log");
        for (std::uint64_t at = expected.size(); at < feed.committed(); at += wordBytes - at % wordBytes) {
            const std::uint64_t word = feed.ring.loadWord(at);
            expected.append(reinterpret_cast<const char *>(&word) + at % wordBytes, wordBytes - at % wordBytes);
        }

        bool recovered = false;
        REQUIRE(eventually([&] {
            ChildProcess recovery([&] {
                const auto done = recoverRing(feed.folder / "ring", feed.folder / "log");
                return done || done.error().code == ErrorCode::NotFound ? 0 : 1;
            });
            spin(std::chrono::microseconds(1500));
            if (randomUpTo(3) != 0)
                recovery.signal(SIGKILL);
            const int code = recovery.wait();
            REQUIRE((code == 0 || code == 128 + SIGKILL));
            recovered = code == 0;
            return recovered;
        }));
        const std::string log = contentOf(feed.folder / "log");
        REQUIRE(log.size() >= expected.size());
        CHECK(log.compare(0, expected.size(), expected) == 0);
        CHECK(log.size() - expected.size() <= 24);  // the last drops
        const Ledger ledger = feed.read(false);
        CHECK_FALSE(ledger.broken);
        CHECK(ledger.dropped == feed.dropped());
        CHECK(ledger.skipped() <= ledger.dropped);
        CHECK_FALSE(std::filesystem::exists(feed.folder / "ring"));
    }
}

TEST_CASE("an agent stopped for 10 s at 10,000 points/s loses nothing")
{
    constexpr std::int64_t points = 100'000;
    Feed feed(defaultRingBytes);
    ChildProcess agent([&] { return drainForEver(feed.drain); });
    agent.stop();
    ChildProcess rank([&] {
        auto writer = FeedWriter::open(feed.folder / "ring");
        const auto id = writer->declare("loss");
        // The long form takes the 10 s; the number of points that the ring must hold is the same.
        for (std::int64_t step = 0; step < points; ++step) {
            writer->write(id, step, valueAt(step));
            if (isLongForm() && step % 100 == 99)
                ::usleep(10'000);
        }
        return writer->dropped() == 0 ? 0 : 1;
    });
    const auto stopped = std::chrono::steady_clock::now();
    CHECK(rank.wait() == 0);
    if (isLongForm())
        CHECK(std::chrono::steady_clock::now() - stopped >= std::chrono::seconds(10));
    agent.signal(SIGCONT);
    REQUIRE(eventually([&] { return std::filesystem::file_size(feed.folder / "log") == feed.committed(); }));
    agent.kill();
    const Ledger ledger = feed.read(false);
    CHECK_FALSE(ledger.broken);
    CHECK_FALSE(ledger.missing);
    CHECK(ledger.points == points);
}

namespace {

constexpr std::uint64_t room = 256 * 1024;

/// Mounts a disk of `room` bytes at `folder`, for this process only. Returns false if the system does not allow it.
bool mountSmallDisk(const std::filesystem::path &folder)
{
    const std::string user = std::to_string(::getuid());
    const std::string group = std::to_string(::getgid());
    const bool apart = ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    if (::getuid() != 0 || user != "0") {  // a user who has become root in a separate namespace
        writeContent("/proc/self/setgroups", "deny");
        writeContent("/proc/self/uid_map", user + " " + user + " 1");
        writeContent("/proc/self/gid_map", group + " " + group + " 1");
    }
    return apart && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0
           && ::mount("none", folder.c_str(), "tmpfs", 0, "size=256k,mode=0700") == 0;
}

void limitFiles(rlim_t bytes)
{
    struct rlimit limit {};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// The agent on the small disk; records whether it met an error other than a full disk.
struct DiskAgent {
    std::filesystem::path folder;
    volatile std::sig_atomic_t *moreRoom;

    int run(int tell) const
    {
        const bool small = mountSmallDisk(folder / "disk");
        std::signal(SIGXFSZ, SIG_IGN);
        if (!small)
            limitFiles(room);
        auto drain = RingDrain::create(folder / "ring", folder / "disk" / "log", somePreamble(), minRingBytes);
        const char ready = drain ? (small ? 'd' : 'l') : 'x';
        if (::write(tell, &ready, 1) != 1 || !drain)
            return 2;
        bool saidFull = false;
        while (*moreRoom == 0) {
            const auto moved = drain->drain();
            if (!moved && moved.error().code != ErrorCode::NoSpace)
                return 3;
            const char full = 'f';
            if (!moved && !saidFull && ::write(tell, &full, 1) != 1)
                return 4;
            saidFull = saidFull || !moved;
        }
        if (small && ::mount("none", (folder / "disk").c_str(), "tmpfs", MS_REMOUNT, "size=64m") != 0)
            return 5;
        limitFiles(RLIM_INFINITY);
        const char again = drain->drain() ? 'a' : 'x';
        if (::write(tell, &again, 1) != 1)
            return 6;
        return drainForEver(*drain);
    }
};

volatile std::sig_atomic_t roomAgain = 0;

}  // namespace

TEST_CASE("on a full disk the rank continues, drops are counted and reported, and draining resumes later")
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "disk");
    int told[2];
    REQUIRE(::pipe(told) == 0);
    const auto hear = [&] {
        char word = 0;
        return ::read(told[0], &word, 1) == 1 ? word : '?';
    };
    std::signal(SIGUSR2, [](int) { roomAgain = 1; });
    ChildProcess agent([&] { return DiskAgent{folder.path, &roomAgain}.run(told[1]); });
    ::close(told[1]);
    const char disk = hear();
    REQUIRE((disk == 'd' || disk == 'l'));
    MESSAGE(std::string(disk == 'd' ? "on a small tmpfs" : "with a limit on file sizes"));
    const auto ring = RingMapping::open(folder / "ring", RingMapping::Access::Read);
    REQUIRE(ring);

    ChildProcess rank([&] {
        auto writer = FeedWriter::open(folder / "ring");
        const auto id = writer->declare("loss");
        // Continues until it is asked to stop, even if its points are dropped.
        std::int64_t step = 0;
        for (; !writer->stopRequested() && step < 50'000'000; ++step)
            writer->write(id, step, valueAt(step));
        return writer->stopRequested() ? 0 : 1;
    });
    CHECK(hear() == 'f');
    const auto dropped = [&] { return ring->header().dropped.load(std::memory_order_acquire); };
    REQUIRE(eventually([&] { return dropped() > 1000; }));
    agent.signal(SIGUSR2);
    CHECK(hear() == 'a');

    // The log is in a place that only the agent sees.
    const std::filesystem::path log =
        "/proc/" + std::to_string(agent.pid()) + "/root" + (folder / "disk" / "log").string();
    FeedReader reader(log, folder / "ring");
    Ledger ledger;
    REQUIRE(eventually([&] { return reader.poll(ledger) && ledger.dropped > 1000; }));
    const std::uint64_t pointsBefore = ledger.points;
    REQUIRE(eventually([&] { return reader.poll(ledger) && ledger.points > pointsBefore + 1000; }));
    {
        const auto agentsSide = RingMapping::open(folder / "ring", RingMapping::Access::ReadWrite);
        agentsSide->header().stopRequested.store(1, std::memory_order_relaxed);
    }
    CHECK(rank.wait() == 0);
    REQUIRE(eventually([&] {
        return ring->header().drained.load(std::memory_order_acquire)
               == ring->header().committed.load(std::memory_order_acquire);
    }));
    REQUIRE(readAll(reader, ledger));
    CHECK_FALSE(ledger.broken);
    // At its end the rank may have found the ring full again: the agent reports the remaining drops when it ends.
    CHECK(ledger.dropped == drops::reported(ring->header()));
    CHECK(ledger.skipped() <= ledger.dropped);
    CHECK(ledger.dropped <= dropped());
    agent.kill();
}
