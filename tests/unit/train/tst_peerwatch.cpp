#include "train/parallel/peerwatch.h"

#include <atomic>
#include <csignal>
#include <doctest/doctest.h>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::train;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr seconds patience{60};

PeerWatch::Place place(int rank, milliseconds timeout = seconds(30))
{
    return {.rank = rank, .size = 3, .timeout = timeout};
}

std::unique_ptr<PeerWatch> serve(milliseconds timeout = seconds(30))
{
    auto watch = PeerWatch::serve(place(0, timeout), true);
    REQUIRE(watch.has_value());
    return std::move(*watch);
}

std::unique_ptr<PeerWatch> join(int rank, const std::string &address)
{
    auto watch = PeerWatch::join(place(rank), address);
    REQUIRE(watch.has_value());
    return std::move(*watch);
}

/// A rank as a separate process, which ends without cleanup when killed.
class RankProcess {
public:
    /// Returns once the rank has joined.
    RankProcess(int rank, const std::string &address)
    {
        int joined[2];
        REQUIRE(pipe(joined) == 0);
        m_pid = fork();
        REQUIRE(m_pid >= 0);
        if (m_pid == 0) {
            const auto watch = PeerWatch::join(place(rank), address);
            if (::write(joined[1], "x", 1) != 1)
                _exit(1);
            while (watch)
                pause();
            _exit(1);
        }
        close(joined[1]);
        char byte = 0;
        REQUIRE(::read(joined[0], &byte, 1) == 1);
        close(joined[0]);
    }
    ~RankProcess()
    {
        signal(SIGKILL);
        waitpid(m_pid, nullptr, 0);
    }
    RankProcess(const RankProcess &) = delete;
    RankProcess &operator=(const RankProcess &) = delete;

    void signal(int number) const { kill(m_pid, number); }

private:
    pid_t m_pid = -1;
};

}  // namespace

TEST_CASE("ranksThatLeaveProperlyAreNotLost")
{
    const auto first = serve();
    auto second = join(1, first->address());
    auto third = join(2, first->address());
    second.reset();
    third.reset();
    CHECK_FALSE(first->awaitLost(milliseconds(600)).has_value());
}

TEST_CASE("deadRankIsNamedToAll")
{
    const auto first = serve();
    const auto second = join(1, first->address());
    {
        const RankProcess third(2, first->address());
    }
    CHECK(first->awaitLost(patience) == "rank 2 is gone; see its log");
    CHECK(second->awaitLost(patience) == "rank 2 is gone; see its log");
}

TEST_CASE("frozenRankIsNamedToAll")
{
    const auto first = serve(seconds(2));
    const auto second = join(1, first->address());
    const RankProcess third(2, first->address());
    third.signal(SIGSTOP);
    CHECK(first->awaitLost(patience)
          == "rank 2 has not responded for 2 s: it is stopped, or disconnected from the others");
    CHECK(second->awaitLost(patience)
          == "rank 2 has not responded for 30 s: it is stopped, or disconnected from the others");
}

TEST_CASE("rankThatNeverJoinsIsNamedToAll")
{
    const auto first = serve();
    first->expectAll(seconds(1));
    const auto second = join(1, first->address());
    CHECK(first->awaitLost(patience) == "rank 2 started, but has not joined the others within 1 s");
    CHECK(second->awaitLost(patience).has_value());
}

TEST_CASE("onceAllHaveJoinedThereIsNoDeadline")
{
    const auto first = serve();
    first->expectAll(milliseconds(500));
    first->everybodyIsHere();
    CHECK_FALSE(first->awaitLost(milliseconds(1500)).has_value());
}

TEST_CASE("rankThatHangsAfterALossGetsTheReason")
{
    std::atomic<bool> told{false};
    auto settings = place(0);
    settings.onStuck = [&told](const std::string &) { told = true; };
    auto watch = PeerWatch::serve(settings, true);
    REQUIRE(watch.has_value());
    {
        const RankProcess second(1, (*watch)->address());
    }
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!told && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(milliseconds(20));
    CHECK(told);
}

TEST_CASE("missingServerIsAnErrorWithAMessage")
{
    CHECK(PeerWatch::join(place(1), "127.0.0.1:1").error().message.find("cannot reach rank 0's heartbeat")
          != std::string::npos);
    CHECK_FALSE(PeerWatch::join(place(1), "none").has_value());
}
