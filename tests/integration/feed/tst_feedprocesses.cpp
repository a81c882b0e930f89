#include "feedtesting.h"

#include "feed/feedwriter.h"
#include "feed/ring.h"
#include "feed/ringrecovery.h"

#include <chrono>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

constexpr std::chrono::seconds patience(60);

/// A rank that writes points 0, 1, 2, … until it is killed.
class EndlessRank {
public:
    explicit EndlessRank(const std::filesystem::path &ring)
    {
        m_pid = ::fork();
        if (m_pid != 0)
            return;
        auto writer = FeedWriter::open(ring);
        if (!writer)
            ::_exit(1);
        const auto id = writer->declare("x");
        for (std::int64_t i = 0;; ++i)
            writer->write(id, i, static_cast<double>(i) * 0.5);
    }
    ~EndlessRank() { kill(); }
    EndlessRank(const EndlessRank &) = delete;
    EndlessRank &operator=(const EndlessRank &) = delete;

    void kill()
    {
        if (m_pid <= 0)
            return;
        ::kill(m_pid, SIGKILL);
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        m_pid = 0;
        CHECK(WIFSIGNALED(status));
    }

private:
    pid_t m_pid = 0;
};

/// Points and gaps together must account for every step: points missing between two others were counted in a gap.
class Ledger final : public RecordVisitor {
public:
    std::int64_t next = 0;
    std::uint64_t points = 0;
    std::uint64_t dropped = 0;
    bool broken = false;
    void point(const Point &value) override
    {
        broken = broken || value.step != next || value.value != static_cast<double>(value.step) * 0.5;
        next = value.step + 1;
        ++points;
    }
    void gap(const Gap &value) override
    {
        next += static_cast<std::int64_t>(value.dropped);
        dropped += value.dropped;
    }
};

}  // namespace

TEST_CASE("a rank killed with SIGKILL at any time leaves whole records, and exactly what it committed")
{
    for (int round = 0; round < 20; ++round) {
        const TemporaryFolder folder;
        auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value();
        FeedReader live(folder / "log", folder / "ring");
        Ledger seen;
        {
            EndlessRank rank(folder / "ring");
            const auto deadline = std::chrono::steady_clock::now() + patience;
            const auto enough = static_cast<std::uint64_t>(1000 + 1777 * round);
            while (seen.points < enough && std::chrono::steady_clock::now() < deadline) {
                REQUIRE(drain.drain());
                REQUIRE(live.poll(seen));
            }
            REQUIRE(seen.points >= enough);
        }
        REQUIRE(readAll(live, seen));
        REQUIRE(drain.drain());
        CHECK(live.offset() == std::filesystem::file_size(folder / "log"));
        drain.unlink();
        REQUIRE(readAll(live, seen));
        CHECK_FALSE(seen.broken);

        FeedReader late(folder / "log", {});
        Ledger again;
        REQUIRE(readAll(late, again));
        CHECK(again.points == seen.points);
        CHECK(again.dropped == seen.dropped);
        CHECK_FALSE(again.broken);
    }
}

TEST_CASE("an agent and its rank that are repeatedly killed together lose nothing that was committed")
{
    for (int round = 0; round < 10; ++round) {
        const TemporaryFolder folder;
        FeedReader live(folder / "log", folder / "ring");
        Ledger seen;
        const pid_t agent = ::fork();
        if (agent == 0) {
            auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes);
            while (drain && drain->drain()) {
            }
            ::_exit(1);
        }
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (!FeedWriter::open(folder / "ring") && std::chrono::steady_clock::now() < deadline) {
        }
        {
            EndlessRank rank(folder / "ring");
            while (seen.points < 5000 && std::chrono::steady_clock::now() < deadline)
                REQUIRE(live.poll(seen));
            ::kill(agent, SIGKILL);
            ::waitpid(agent, nullptr, 0);
        }
        REQUIRE(readAll(live, seen));
        REQUIRE(seen.points >= 5000);
        REQUIRE(recoverRing(folder / "ring", folder / "log"));
        REQUIRE(readAll(live, seen));
        CHECK_FALSE(seen.broken);

        FeedReader late(folder / "log", folder / "ring");
        Ledger again;
        REQUIRE(readAll(late, again));
        CHECK(again.points == seen.points);
        CHECK(again.dropped == seen.dropped);
        CHECK_FALSE(again.broken);
    }
}

TEST_CASE("only one process at a time reports for a rank")
{
    const TemporaryFolder folder;
    auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value();
    {
        EndlessRank rank(folder / "ring");
        FeedReader reader(folder / "log", folder / "ring");
        Ledger seen;
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (seen.points == 0 && std::chrono::steady_clock::now() < deadline)
            REQUIRE(reader.poll(seen));
        const auto second = FeedWriter::open(folder / "ring");
        REQUIRE_FALSE(second);
        CHECK(second.error().code == ErrorCode::AlreadyExists);
    }
    CHECK(FeedWriter::open(folder / "ring"));
}
