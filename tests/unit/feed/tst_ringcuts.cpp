// Rings and logs that are truncated while in use. Accessing a mapped file beyond its new end raises SIGBUS.
#include "feedtesting.h"

#include "feed/feedwriter.h"
#include "feed/ringdraining.h"
#include "feed/ringmapping.h"
#include "feed/ringreading.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

constexpr int pointsInRing = 1000;

/// A ring with points that have not been drained.
struct FullRing {
    TemporaryFolder folder;
    std::filesystem::path ring = folder / "rank-0.ring";
    std::filesystem::path log = folder / "rank-0.feed";
    RingDrain drain = RingDrain::create(ring, log, somePreamble(), minRingBytes).value();

    FullRing()
    {
        auto writer = FeedWriter::open(ring).value();
        const auto loss = writer.declare("loss");
        for (int i = 0; i < pointsInRing; ++i)
            writer.write(loss, i, i);
    }
};

/// A process that runs a task until it is killed.
class Meanwhile {
public:
    template <typename Task>
    explicit Meanwhile(Task task) : m_pid(::fork())
    {
        if (m_pid != 0)
            return;
        for (;;)
            task();
    }
    ~Meanwhile()
    {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    Meanwhile(const Meanwhile &) = delete;
    Meanwhile &operator=(const Meanwhile &) = delete;

private:
    pid_t m_pid;
};

}  // namespace

TEST_CASE("copying from a ring that was truncated since it was checked gives an error, not a crash")
{
    const FullRing feed;
    const auto ring = RingMapping::open(feed.ring, RingMapping::Access::Read).value();
    std::uintmax_t kept = 0;
    SUBCASE("to nothing") {}
    SUBCASE("to its header")
    {
        kept = sizeof(RingHeader);
    }
    SUBCASE("within a page of its data")
    {
        kept = sizeof(RingHeader) + 5000;
    }
    std::filesystem::resize_file(feed.ring, kept);
    std::vector<unsigned char> bytes;
    const auto copied = copyFromRing(ring, 0, minRingBytes, bytes);
    REQUIRE_FALSE(copied);
    CHECK(copied.error().code == ErrorCode::Corrupt);
    CHECK(copied.error().message.find("was truncated") != std::string::npos);
    CHECK(bytes.empty());
    if (kept == 0) {
        CHECK(committedOf(ring) == 0);
        std::filesystem::resize_file(feed.ring, sizeof(RingHeader) + minRingBytes);
        bool unlinked = false;
        CHECK_FALSE(ring.checkFile(unlinked));  // its size is unchanged, but its content is lost
    }
}

TEST_CASE("an agent survives a truncation of its ring between a check and the next access")
{
    FullRing feed;
    const auto ring = RingMapping::open(feed.ring, RingMapping::Access::ReadWrite).value();
    const FileDescriptor log(::open(feed.log.c_str(), O_WRONLY | O_CLOEXEC));
    std::filesystem::resize_file(feed.ring, sizeof(RingHeader));
    std::uint64_t drained = 0;
    {
        const RingMapping::Guard guard(ring);
        const auto moved = draining::moveToLog(ring, drained, log.get(), feed.log);
        REQUIRE_FALSE(moved);
        CHECK(moved.error().code == ErrorCode::Corrupt);
    }
    CHECK(drained == 0);
    std::filesystem::resize_file(feed.ring, 0);
    feed.drain.requestStop();
    feed.drain.fence();
    CHECK(feed.drain.dropped() == 0);
    CHECK_FALSE(feed.drain.drain());
    CHECK(feed.drain.unlink());  // it will never get new data
    CHECK_FALSE(std::filesystem::exists(feed.ring));
}

TEST_CASE("readers, agent and recovery survive a process that truncates and extends the ring at random times")
{
    const FullRing feed;
    const std::string content = contentOf(feed.ring);
    const Meanwhile cutting([&, turn = std::uint64_t{0}]() mutable {
        const std::uint64_t kept = ++turn % 2 == 0 ? 0 : sizeof(RingHeader) + 512 * (turn % 64);
        (void)::truncate(feed.ring.c_str(), static_cast<off_t>(kept));
        ::sched_yield();
        const FileDescriptor file(::open(feed.ring.c_str(), O_WRONLY | O_CLOEXEC));
        (void)!::pwrite(file.get(), content.data(), content.size(), 0);
        for (std::uint64_t i = turn % 50; i > 0; --i)
            ::sched_yield();
    });
    const std::filesystem::path other = feed.folder / "other";
    int cuts = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    for (int round = 0; (round < 2000 || cuts < 20) && std::chrono::steady_clock::now() < deadline; ++round) {
        FeedReader reader(feed.log, feed.ring);
        Recorder seen;
        (void)readAll(reader, seen);
        CHECK(seen.points.size() <= pointsInRing);
        const auto ring = RingMapping::open(feed.ring, RingMapping::Access::ReadWrite);
        const FileDescriptor log(::open(other.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        for (int again = 0; ring && again < 50; ++again) {
            std::vector<unsigned char> bytes;
            std::uint64_t drained = 0;
            const RingMapping::Guard guard(*ring);
            const bool copied = copyFromRing(*ring, 0, minRingBytes, bytes).has_value();
            if (copied && draining::moveToLog(*ring, drained, log.get(), other))
                continue;
            ++cuts;
            break;
        }
    }
    CHECK(cuts >= 20);
}

TEST_CASE("an unrelated bus error still ends the process")
{
    const FullRing feed;
    const auto ring = RingMapping::open(feed.ring, RingMapping::Access::Read).value();
    std::filesystem::resize_file(feed.ring, 0);
    const auto endedBySignal = [](const auto &task) {
        const pid_t child = ::fork();
        if (child == 0) {
            struct rlimit none {};
            ::setrlimit(RLIMIT_CORE, &none);
            task();
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            return WTERMSIG(status);
        return WEXITSTATUS(status) == 0 ? 0 : SIGBUS;  // an address sanitizer reports it and exits instead
    };
    CHECK(committedOf(ring) == 0);  // the handler is installed
    const FullRing other;
    const auto unguarded = RingMapping::open(other.ring, RingMapping::Access::Read).value();
    std::filesystem::resize_file(other.ring, 0);
#if !defined(__SANITIZE_THREAD__)
    CHECK(endedBySignal([&] {
              const RingMapping::Guard guard(ring);
              (void)unguarded.header().committed.load(std::memory_order_relaxed);
          })
          == SIGBUS);
#endif
    CHECK(endedBySignal([] {
              std::signal(SIGBUS, SIG_DFL);
              ::raise(SIGBUS);
          })
          == SIGBUS);
}

TEST_CASE("a live reader continues after a truncation of the log, and reports the loss")
{
    const TemporaryFolder folder;
    const auto log = folder / "rank-0.feed";
    auto drain = RingDrain::create(folder / "rank-0.ring", log, presentPreamble(), minRingBytes).value();
    auto writer = FeedWriter::open(folder / "rank-0.ring").value();
    const auto loss = writer.declare("loss");
    std::int64_t step = 0;
    const auto write = [&](int points) {
        for (const std::int64_t end = step + points; step < end; ++step)
            writer.write(loss, step, static_cast<double>(step));
    };
    const auto sizeOfLog = [&] { return std::filesystem::file_size(log); };
    write(1000);
    REQUIRE(drain.drain());
    write(500);

    FeedReader ahead(log, folder / "rank-0.ring");  // has read everything so far
    Recorder seenAhead;
    REQUIRE(readAll(ahead, seenAhead));
    const std::uintmax_t before = sizeOfLog();
    std::filesystem::resize_file(log, before - 500 * pointBytes - 5);

    FeedReader reader(log, folder / "rank-0.ring");
    Recorder seen;
    const auto read = readAll(reader, seen);
    REQUIRE_MESSAGE(read.has_value(), (read ? std::string() : read.error().message));
    CHECK(seen.points.size() == 499 + 500);
    REQUIRE(reader.damage());
    CHECK(reader.damage()->message.find("was truncated") != std::string::npos);
    CHECK(reader.lostBytes() == 501 * pointBytes);

    write(300);
    REQUIRE(readAll(ahead, seenAhead));
    REQUIRE(readAll(reader, seen));
    REQUIRE(drain.drain());
    write(200);
    CHECK(drain.unlink());
    REQUIRE(readAll(ahead, seenAhead));
    REQUIRE(readAll(reader, seen));
    CHECK_FALSE(ahead.damage());
    REQUIRE(seenAhead.points.size() == 2000);
    for (std::size_t i = 0; i < seenAhead.points.size(); ++i)
        REQUIRE(seenAhead.points[i].step == static_cast<std::int64_t>(i));
    REQUIRE(seen.points.size() == 1499);
    CHECK(reader.lostBytes() == 501 * pointBytes);

    FeedReader late(log, {});
    Recorder all;
    REQUIRE(readAll(late, all));
    CHECK(all.trace == seen.trace);
    CHECK(late.lostBytes() == 501 * pointBytes);
    for (std::size_t i = 0; i < all.points.size(); ++i) {
        REQUIRE(all.points[i].step == static_cast<std::int64_t>(i < 499 ? i : i + 501));
        REQUIRE(all.points[i].value == static_cast<double>(all.points[i].step));
    }
}

TEST_CASE("a ring whose counters imply an impossibly long log is an error after the log")
{
    const TemporaryFolder folder;
    const auto log = folder / "log";
    auto drain = RingDrain::create(folder / "ring", log, presentPreamble(), minRingBytes).value();
    auto writer = FeedWriter::open(folder / "ring").value();
    const auto loss = writer.declare("loss");
    writer.write(loss, 1, 1);
    REQUIRE(drain.drain());
    const std::string ring = contentOf(folder / "ring");
    const std::uint64_t none = 0;
    for (const auto &counters : {std::pair(none - 3, none - 8),
                                 {none - 64, none - 8},
                                 {none - 8, none - 8},
                                 {std::uint64_t{1} << 62, none - 8},
                                 {std::uint64_t{1} << 61, std::uint64_t{1} << 60},
                                 {std::uint64_t{1} << 60, std::uint64_t{1} << 61}}) {
        const std::uint64_t drained = counters.first;
        const std::uint64_t committed = counters.second;
        CAPTURE(drained);
        std::string damaged = ring;
        std::memcpy(damaged.data() + offsetof(RingHeader, drained), &drained, sizeof drained);
        std::memcpy(damaged.data() + offsetof(RingHeader, committed), &committed, sizeof committed);
        writeContent(folder / "ring", damaged);
        FeedReader reader(log, folder / "ring");
        Recorder seen;
        const auto read = readAll(reader, seen);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == ErrorCode::Corrupt);
        CHECK(seen.points.size() == 1);
    }
}

TEST_CASE("a sparse ring without disk space is an error when a rank opens it, not a crash later")
{
    // The ring of a program that did not reserve its space.
    const FullRing feed;
    const std::string content = contentOf(feed.ring);
    const pid_t child = ::fork();
    if (child == 0) {
        // In a separate mount namespace, where it can mount a small disk; exits with 77 if the system does not allow
        // it.
        const std::filesystem::path disk = feed.folder / "disk";
        std::filesystem::create_directory(disk);
        const bool apart = ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
        if (!apart || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
            || ::mount("none", disk.c_str(), "tmpfs", 0, "size=32k") != 0)
            ::_exit(77);
        writeContent(disk / "ring", content.substr(0, sizeof(RingHeader)));
        std::filesystem::resize_file(disk / "ring", content.size());
        const auto writer = FeedWriter::open(disk / "ring");
        if (writer)
            ::_exit(1);
        const auto made = RingDrain::create(disk / "new", feed.folder / "new.feed", somePreamble(), minRingBytes);
        ::_exit(writer.error().code == ErrorCode::NoSpace && !made && made.error().code == ErrorCode::NoSpace ? 0 : 2);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        MESSAGE("no small disk can be mounted here");
    else
        CHECK(WEXITSTATUS(status) == 0);
}
