#include "base/clock.h"
#include "base/workspacelayout.h"
#include "feed/feedwriter.h"
#include "feed/ring.h"
#include "launch/feedindexer.h"
#include "series/indexfile.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <benchmark/benchmark.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

/// The cost of a point for the rank that reports it, and the throughput of the agent's side. Counters of one run:
///
///     ratio_to_floor   cost of a point / (a clock read and a 24-byte store into memory of the same size); a median over
///                      short stretches of both in turn, so that other work on the machine affects both alike
///     p999_ns, p50_ns  one point at a time, including the clock reads around it (of several threads: the mean)
///     dropped          records lost
///     indexed_percent  the share of drained data that is indexed at the end, if the agent builds an index
namespace {

using namespace sweepscope;
using namespace sweepscope::feed;

constexpr std::int64_t stretch = 2000;

double percentile(std::vector<double> values, double share)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// An attempt's folder, removed at the end.
struct Folder {
    AttemptLayout layout;
    Folder()
    {
        std::string name = ringFolder() / "sweepscope-bench-XXXXXX";
        layout.folder = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(layout.folder); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
};

/// A feed of one rank.
class Feed {
public:
    Feed() : Feed(std::make_shared<Folder>(), 0) {}
    Feed(std::shared_ptr<Folder> folder, int rank)
        : m_folder(std::move(folder)), m_ring(m_folder->layout.folder / ("ring-" + std::to_string(rank)))
    {
        drain.emplace(RingDrain::create(m_ring, m_folder->layout.rankFeed(rank), {rank, 1, 1, "bench"}).value());
    }

    FeedWriter writer() const { return FeedWriter::open(m_ring).value(); }
    /// Drains and discards the ring's content.
    void empty() { (void)drain->drain().value(); }

    std::optional<RingDrain> drain;

private:
    std::shared_ptr<Folder> m_folder;
    std::filesystem::path m_ring;
};

/// A clock read and three words into memory of a ring's size, shared and resident like a ring's.
class Floor {
public:
    Floor()
        : m_words(static_cast<std::uint64_t *>(::mmap(nullptr, defaultRingBytes, PROT_READ | PROT_WRITE,
                                                      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)))
    {}
    ~Floor() { ::munmap(m_words, defaultRingBytes); }
    Floor(const Floor &) = delete;
    Floor &operator=(const Floor &) = delete;

    void write(std::int64_t step, double value) noexcept
    {
        timespec now{};
        ::clock_gettime(CLOCK_REALTIME, &now);
        put(static_cast<std::uint64_t>(step));
        put(static_cast<std::uint64_t>(now.tv_sec * 1'000'000'000 + now.tv_nsec));
        put(std::bit_cast<std::uint64_t>(value));
    }

private:
    void put(std::uint64_t word) noexcept
    {
        std::atomic_ref(m_words[m_at]).store(word, std::memory_order_relaxed);  // or the compiler removes the store
        m_at = (m_at + 1) & (defaultRingBytes / 8 - 1);
    }
    std::uint64_t *m_words;
    std::size_t m_at = 0;
};

void writeFromOneThread(benchmark::State &state)
{
    Feed feed;
    Floor floor;
    FeedWriter writer = feed.writer();
    const auto loss = writer.declare("loss");
    std::vector<double> ratios;
    std::vector<double> perPoint;
    std::int64_t step = 0;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::int64_t i = 0; i < stretch; ++i)
            floor.write(i, static_cast<double>(i));
        const auto middle = std::chrono::steady_clock::now();
        for (std::int64_t i = 0; i < stretch; ++i)
            writer.write(loss, ++step, static_cast<double>(i));
        const double seconds = secondsSince(middle);
        state.SetIterationTime(seconds);
        ratios.push_back(seconds / std::chrono::duration<double>(middle - begin).count());
        perPoint.push_back(seconds / stretch * 1e9);
        if (step % (stretch * 32) == 0)
            feed.empty();
    }
    state.SetItemsProcessed(step);
    state.counters["ratio_to_floor"] = percentile(ratios, 0.5);
    state.counters["p50_ns"] = percentile(perPoint, 0.5);
    state.counters["dropped"] = static_cast<double>(writer.dropped());
}
BENCHMARK(writeFromOneThread)->UseManualTime()->MinTime(2.0);

/// Times every point separately, while another thread drains as the agent does.
void latencyOfOnePoint(benchmark::State &state)
{
    Feed feed;
    FeedWriter writer = feed.writer();
    const auto loss = writer.declare("loss");
    std::atomic<bool> ended{false};
    std::thread agent([&] {
        while (!ended.load(std::memory_order_relaxed)) {
            feed.empty();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    std::vector<double> samples;
    samples.reserve(4'000'000);
    std::int64_t step = 0;
    for (auto _ : state) {
        const WallNs before = wallNow();
        writer.write(loss, ++step, 0.5);
        const WallNs after = wallNow();
        if (samples.size() < samples.capacity())
            samples.push_back(static_cast<double>(after - before));
    }
    ended = true;
    agent.join();
    state.counters["p50_ns"] = percentile(samples, 0.5);
    state.counters["p999_ns"] = percentile(samples, 0.999);
    state.counters["dropped"] = static_cast<double>(writer.dropped());
}
BENCHMARK(latencyOfOnePoint)->MinTime(2.0);

/// Several threads of one rank report concurrently: the cost of synchronisation.
void writeFromThreads(benchmark::State &state)
{
    static std::unique_ptr<Feed> feed;
    static std::unique_ptr<FeedWriter> writer;
    static std::uint16_t loss;
    if (state.thread_index() == 0) {
        feed = std::make_unique<Feed>();
        writer = std::make_unique<FeedWriter>(feed->writer());
        loss = writer->declare("loss");
    }
    constexpr std::int64_t timedByItself = 100;
    Floor floor;
    std::vector<double> ratios;
    std::vector<double> samples;
    std::int64_t step = 0;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::int64_t i = 0; i < stretch; ++i)
            floor.write(i, static_cast<double>(i));
        const auto middle = std::chrono::steady_clock::now();
        for (std::int64_t i = 0; i < stretch; ++i)
            writer->write(loss, ++step, static_cast<double>(i));
        const double seconds = secondsSince(middle);
        state.SetIterationTime(seconds);
        ratios.push_back(seconds / std::chrono::duration<double>(middle - begin).count());
        for (std::int64_t i = 0; i < timedByItself; ++i) {
            const WallNs before = wallNow();
            writer->write(loss, ++step, 0.5);
            samples.push_back(static_cast<double>(wallNow() - before));
        }
        if (state.thread_index() == 0)
            feed->empty();
    }
    state.SetItemsProcessed(step);
    const auto mean = [](double value) { return benchmark::Counter(value, benchmark::Counter::kAvgThreads); };
    state.counters["ratio_to_floor"] = mean(percentile(ratios, 0.5));
    state.counters["p50_ns"] = mean(percentile(samples, 0.5));
    state.counters["p999_ns"] = mean(percentile(samples, 0.999));
    if (state.thread_index() == 0) {
        state.counters["dropped"] = static_cast<double>(writer->dropped());
        writer.reset();
        feed.reset();
    }
}
BENCHMARK(writeFromThreads)->Threads(2)->Threads(4)->UseManualTime()->MinTime(2.0);

/// Starts a rank process that writes `perSecond` points until it is killed.
pid_t startRank(const Feed &feed, int perSecond)
{
    const pid_t pid = ::fork();
    if (pid != 0)
        return pid;
    FeedWriter writer = feed.writer();
    const auto loss = writer.declare("loss");
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t step = 0;;) {
        const auto due = static_cast<std::int64_t>(secondsSince(start) * perSecond);
        for (; step < due; ++step)
            writer.write(loss, step, static_cast<double>(step));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

double indexedPercent(const AttemptLayout &layout, std::size_t ranks, std::uint64_t drainedBytes)
{
    std::uint64_t indexed = 0;
    for (int rank = 0; rank < static_cast<int>(ranks); ++rank) {
        auto index = series::IndexFile::open(layout.rankIndex(rank));
        indexed += index ? index->covered().value_or(0) : 0;
    }
    return 100 * static_cast<double>(indexed) / static_cast<double>(drainedBytes);
}

/// `ranks` write a million points per second in total for three seconds; one agent drains them, with or without
/// indexing.
void drainRanks(benchmark::State &state)
{
    const auto ranks = static_cast<std::size_t>(state.range(0));
    for (auto _ : state) {
        const auto folder = std::make_shared<Folder>();
        std::optional<launch::FeedIndexer> indexer;
        if (state.range(1) != 0)
            indexer.emplace(folder->layout, 0, static_cast<int>(ranks));
        std::vector<std::unique_ptr<Feed>> feeds;
        std::vector<pid_t> pids;
        for (std::size_t i = 0; i < ranks; ++i) {
            feeds.push_back(std::make_unique<Feed>(folder, static_cast<int>(i)));
            pids.push_back(startRank(*feeds.back(), static_cast<int>(1'000'000 / ranks)));
        }
        struct rusage before {};
        ::getrusage(RUSAGE_SELF, &before);
        const auto start = std::chrono::steady_clock::now();
        std::uint64_t bytes = 0;
        std::uint64_t writes = 0;
        while (secondsSince(start) < 3) {
            for (const auto &feed : feeds) {
                const std::uint64_t moved = feed->drain->drain().value();
                bytes += moved;
                writes += moved != 0 ? 1 : 0;
            }
            if (indexer)
                indexer->advance();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        const double seconds = secondsSince(start);
        struct rusage after {};
        ::getrusage(RUSAGE_SELF, &after);
        std::uint64_t dropped = 0;
        for (std::size_t i = 0; i < ranks; ++i) {
            ::kill(pids[i], SIGKILL);
            ::waitpid(pids[i], nullptr, 0);
            dropped += feeds[i]->drain->dropped();
        }
        const auto cpu = [](const struct rusage &usage) {
            return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                   + static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
        };
        state.SetIterationTime(seconds);
        if (indexer)
            state.counters["indexed_percent"] = indexedPercent(folder->layout, ranks, bytes);
        state.counters["points_per_s"] = static_cast<double>(bytes) / static_cast<double>(pointBytes) / seconds;
        state.counters["bytes_per_write"] =
            static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(writes, 1));
        state.counters["drain_cpu_percent"] = (cpu(after) - cpu(before)) / seconds * 100;
        state.counters["dropped"] = static_cast<double>(dropped);
    }
}
BENCHMARK(drainRanks)->ArgNames({"ranks", "index"})->Args({8, 0})->Args({8, 1})->UseManualTime()->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
