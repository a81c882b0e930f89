#include "feedtesting.h"

#include "feed/feedwriter.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

/// Requires that every series counts 0, 1, 2, … with matching values, and that gaps account for missing points.
class SeriesCounts final : public RecordVisitor {
public:
    std::map<std::uint16_t, std::int64_t> last;
    std::uint64_t points = 0;
    std::uint64_t dropped = 0;
    bool broken = false;
    void point(const Point &value) override
    {
        const auto [before, isFirst] = last.try_emplace(value.series, -1);
        broken = broken || value.step <= before->second || value.value != static_cast<double>(value.step) * 0.25;
        before->second = value.step;
        ++points;
    }
    void gap(const Gap &value) override { dropped += value.dropped; }
};

struct LiveFeed {
    TemporaryFolder folder;
    RingDrain drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value();
    FeedWriter writer = FeedWriter::open(folder / "ring").value();

    SeriesCounts counted()
    {
        REQUIRE(drain.drain());
        FeedReader reader(folder / "log", folder / "ring");
        SeriesCounts counts;
        REQUIRE(readAll(reader, counts));
        return counts;
    }
};

FeedWriter *handlersWriter = nullptr;
std::uint16_t handlersSeries = 0;
std::atomic<std::int64_t> handlersNext{0};  // relaxed: the handler runs on the test's thread

}  // namespace

TEST_CASE("points of concurrent threads are stored once, in each thread's order, or counted as dropped")
{
    constexpr int threads = 4;
    constexpr std::int64_t each = 50'000;
    LiveFeed feed;
    std::uint16_t ids[threads];
    for (int i = 0; i < threads; ++i)
        ids[i] = feed.writer.declare("series " + std::to_string(i));
    std::atomic<int> writing{threads};
    std::vector<std::thread> ranks;
    for (int i = 0; i < threads; ++i) {
        ranks.emplace_back([&, i] {
            for (std::int64_t step = 0; step < each; ++step)
                feed.writer.write(ids[i], step, static_cast<double>(step) * 0.25);
            --writing;
        });
    }
    while (writing != 0)
        CHECK(feed.drain.drain());
    for (std::thread &rank : ranks)
        rank.join();
    REQUIRE(feed.drain.drain());  // makes room for the last gap
    {
        const FeedWriter closed = std::move(feed.writer);
    }

    const SeriesCounts counts = feed.counted();
    CHECK_FALSE(counts.broken);
    CHECK(counts.points + counts.dropped == threads * each);
    CHECK(counts.points >= threads);
}

TEST_CASE("several threads on an undrained ring: points and drops add up exactly, and later threads continue")
{
    LiveFeed feed;
    const auto id = feed.writer.declare("a");
    const auto report = [&](std::int64_t from) {
        std::vector<std::thread> ranks;
        std::atomic<std::int64_t> next{from};
        for (int i = 0; i < 3; ++i) {
            ranks.emplace_back([&, mine = feed.writer.declare("b" + std::to_string(i))] {
                for (std::int64_t step = from; step < from + 5000; ++step)
                    feed.writer.write(mine, step, static_cast<double>(step) * 0.25);
            });
        }
        for (std::thread &rank : ranks)
            rank.join();
    };
    report(0);
    REQUIRE(feed.drain.drain());
    report(5000);
    REQUIRE(feed.drain.drain());
    feed.writer.write(id, 1, 0.25);
    const SeriesCounts counts = feed.counted();
    CHECK_FALSE(counts.broken);
    CHECK(counts.dropped == feed.writer.dropped());
    CHECK(counts.dropped > 20'000);
    CHECK(counts.points + counts.dropped == 30'001);
}

TEST_CASE("threads that alternate lose nothing")
{
    LiveFeed feed;
    const auto id = feed.writer.declare("loss");
    for (std::int64_t step = 0; step < 30; ++step)
        std::thread([&] { feed.writer.write(id, step, static_cast<double>(step) * 0.25); }).join();
    const SeriesCounts counts = feed.counted();
    CHECK_FALSE(counts.broken);
    CHECK(counts.points == 30);
    CHECK(counts.dropped == 0);
}

TEST_CASE("threads that write simultaneously lose nothing")
{
    constexpr int threads = 7;
    for (int round = 0; round < 100; ++round) {
        LiveFeed feed;
        const auto id = feed.writer.declare("loss");
        std::atomic<int> ready{0};
        std::vector<std::thread> ranks;
        for (int i = 0; i < threads; ++i) {
            ranks.emplace_back([&] {
                ++ready;
                while (ready != threads)
                    std::this_thread::yield();
                feed.writer.write(id, 1, 0.25);
            });
        }
        for (std::thread &rank : ranks)
            rank.join();
        REQUIRE(feed.writer.dropped() == 0);
    }
}

TEST_CASE("steps beyond 32 bits from several threads keep their high halves")
{
    LiveFeed feed;
    const std::int64_t high = std::int64_t{5} << 33;
    const auto big = feed.writer.declare("big");
    const auto small = feed.writer.declare("small");
    feed.writer.write(big, high, static_cast<double>(high) * 0.25);
    std::vector<std::thread> ranks;
    for (int i = 0; i < 12; ++i) {
        ranks.emplace_back([&, i] {
            for (std::int64_t step = 0; i == 0 && step < 500; ++step)
                feed.writer.write(big, high + 1 + step, static_cast<double>(high + 1 + step) * 0.25);
            for (std::int64_t step = 0; i == 1 && step < 500; ++step)
                feed.writer.write(small, step, static_cast<double>(step) * 0.25);
            feed.writer.event(EventKind::Message, i, "hello");
        });
    }
    for (std::thread &rank : ranks)
        rank.join();
    const SeriesCounts counts = feed.counted();
    CHECK_FALSE(counts.broken);
    CHECK(counts.points == 1001);
    CHECK(counts.last.at(big) == high + 500);
    CHECK(counts.last.at(small) == 499);
}

TEST_CASE("a signal handler that reports during a report loses only points that are counted")
{
    LiveFeed feed;
    handlersWriter = &feed.writer;
    handlersSeries = feed.writer.declare("from the handler");
    handlersNext = 0;
    const auto id = feed.writer.declare("loss");
    struct sigaction action {};
    action.sa_handler = [](int) {
        const std::int64_t step = handlersNext.fetch_add(1, std::memory_order_relaxed);
        handlersWriter->write(handlersSeries, step, static_cast<double>(step) * 0.25);
    };
    struct sigaction before {};
    REQUIRE(::sigaction(SIGALRM, &action, &before) == 0);
    const itimerval often{{0, 200}, {0, 200}};
    REQUIRE(::setitimer(ITIMER_REAL, &often, nullptr) == 0);
    std::int64_t step = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while ((handlersNext < 200 || step < 20'000) && std::chrono::steady_clock::now() < deadline) {
        feed.writer.write(id, step, static_cast<double>(step) * 0.25);
        if (++step % 1000 == 0)
            CHECK(feed.drain.drain());
    }
    const itimerval never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    ::sigaction(SIGALRM, &before, nullptr);
    feed.writer.write(id, step, static_cast<double>(step) * 0.25);
    ++step;

    const SeriesCounts counts = feed.counted();
    CHECK_FALSE(counts.broken);
    CHECK(handlersNext >= 200);
    CHECK(counts.points + feed.writer.dropped() == static_cast<std::uint64_t>(step + handlersNext));
    CHECK(counts.dropped == feed.writer.dropped());
}

TEST_CASE("a signal handler reports during a report while another thread reports, and no thread blocks")
{
    constexpr std::uint64_t roomy = 16 * 1024 * 1024;  // large enough that no thread waits on a full ring
    static std::atomic<bool> inHandler;
    static std::atomic<bool> taking;
    struct sigaction action {};
    action.sa_handler = [](int) {
        inHandler = true;
        while (!taking)
            ::sched_yield();
        // Lets the other thread report meanwhile.
        for (int i = 0; i < 200; ++i)
            ::sched_yield();
        handlersWriter->write(handlersSeries, 0, 0);
    };
    struct sigaction before {};
    REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);
    ::alarm(120);  // ends the test if two threads deadlock
    for (int round = 0; round < 25; ++round) {
        const TemporaryFolder folder;
        auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), roomy).value();
        FeedWriter writer = FeedWriter::open(folder / "ring").value();
        handlersWriter = &writer;
        handlersSeries = writer.declare("from the handler");
        inHandler = taking = false;
        std::atomic<bool> started{false};
        std::atomic<bool> ended{false};
        std::uint64_t reports = 0;
        std::thread owner([&, text = std::string(maxEventTextBytes, 'x')] {
            while (!ended) {
                writer.event(EventKind::Message, 1, text);
                started = true;
                ++reports;
            }
        });
        while (!started)
            std::this_thread::yield();
        ::pthread_kill(owner.native_handle(), SIGUSR1);
        while (!inHandler)
            std::this_thread::yield();
        taking = true;
        writer.write(handlersSeries, 1, 1);
        ended = true;
        owner.join();
        REQUIRE(drain.drain());
        FeedReader reader(folder / "log", folder / "ring");
        Recorder seen;
        REQUIRE(readAll(reader, seen));
        CHECK(seen.points.size() + seen.events.size() + writer.dropped() == reports + 2);
    }
    ::alarm(0);
    ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_CASE("a forked child of a rank reports nothing and has no effect")
{
    LiveFeed feed;
    const auto id = feed.writer.declare("loss");
    feed.writer.write(id, 0, 0);
    const pid_t child = ::fork();
    if (child == 0) {
        feed.writer.write(id, 7, 7);
        feed.writer.event(EventKind::Message, 7, "from the child");
        feed.writer.write(feed.writer.declare("new"), 8, 8);
        {
            const FeedWriter closed = std::move(feed.writer);
        }
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    feed.writer.write(id, 1, 0.25);
    REQUIRE(feed.drain.drain());
    FeedReader reader(feed.folder / "log", {});
    Recorder seen;
    REQUIRE(readAll(reader, seen));
    CHECK(seen.trace
          == std::vector<std::string>{"preamble attempt-7/1", "series 0 loss []", "point 0 0 0.000000",
                                      "point 0 1 0.250000"});
}
