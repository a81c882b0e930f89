// Queries of the plots over one series of 10^8 points (SWEEPSCOPE_BENCH_POINTS changes it).
//   append  ns_per_point: building the index only
//   index   ns_per_point: reading the log, building the index and writing it; bytes_per_point of the index file
//   open    open_ms: from the start to the first answer, with an existing index; rss_mb: of the process at that time
//   query   query_ms: 2,000 columns, queried again; first_ms: queried for the first time, reading the file
//           (medians; and query_p99_ms, first_p99_ms);
//           cover/N: a window of 1/N of the history, at several places; rss_mb after all of them
#include "feed/logwriter.h"
#include "series/feedseries.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::series;

namespace {

constexpr std::int64_t startNs = 1'763'674'200'000'000'000;
constexpr std::int64_t intervalNs = 1'000'000;
constexpr int columnsAsked = 2000;

std::int64_t pointCount()
{
    static const char *const text = std::getenv("SWEEPSCOPE_BENCH_POINTS");
    static const std::int64_t count = text ? std::atoll(text) : 100'000'000;
    return count;
}

double residentMb()
{
    std::ifstream status("/proc/self/statm");
    std::uint64_t total = 0;
    std::uint64_t resident = 0;
    status >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

double millisecondsSince(std::chrono::steady_clock::time_point begun)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

double percentile(std::vector<double> values, double share)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// A clock that jitters, and values that no float represents: the worst case for packing.
class Source {
public:
    explicit Source(std::uint64_t seed) : m_random(seed) {}
    Sample next()
    {
        const std::uint64_t bits = m_random();
        m_timeNs += intervalNs / 2 + static_cast<std::int64_t>(bits % intervalNs);
        const double value = std::ldexp(static_cast<double>(bits >> 11U), -53);
        return {m_step++, m_timeNs, value};
    }

private:
    std::mt19937_64 m_random;
    std::int64_t m_step = 0;
    std::int64_t m_timeNs = startNs;
};

struct History {
    std::filesystem::path folder;
    FeedFiles files;

    History()
    {
        std::string name = std::filesystem::temp_directory_path() / "bench-series-XXXXXX";
        folder = ::mkdtemp(name.data());
        files = {folder / "rank-0.feed", {}, folder / "rank-0.index"};
        auto writer = feed::LogWriter::open(files.log, {0, 1, startNs, "1-1-1"});
        if (!writer)
            std::abort();
        const std::uint16_t loss = writer->declare("loss");
        Source source(1);
        for (std::int64_t i = 0; i < pointCount(); ++i) {
            const Sample sample = source.next();
            writer->write(loss, sample.step, sample.timeNs, sample.value);
            if (i % 65536 == 0 && !writer->flush())
                std::abort();
        }
        if (!writer->flush())
            std::abort();
    }
    ~History() { std::filesystem::remove_all(folder); }

    /// Opens the series like a window; complete when it returns.
    FeedSeries open() const
    {
        FeedSeries feed(files, IndexUse::Write);
        while (feed.poll().value_or(0) > 0) {
        }
        feed.save();
        return feed;
    }
};

std::optional<History> history;
std::optional<FeedSeries> opened;

/// Gives each benchmark the index that `index` would have left, even if it runs alone.
History &indexedHistory()
{
    if (!history) {
        history.emplace();
        history->open();
    }
    return *history;
}

void append(benchmark::State &state)
{
    std::vector<Sample> samples;
    Source source(2);
    for (int i = 0; i < 1'000'000; ++i)
        samples.push_back(source.next());
    double ms = 0;
    for (auto _ : state) {
        Series series("loss", "");
        const auto begun = std::chrono::steady_clock::now();
        for (const Sample &sample : samples)
            series.append(sample);
        ms += millisecondsSince(begun);
    }
    state.counters["ns_per_point"] =
        ms * 1e6 / static_cast<double>(samples.size()) / static_cast<double>(state.iterations());
}

void index(benchmark::State &state)
{
    history.emplace();
    const auto begun = std::chrono::steady_clock::now();
    for (auto _ : state)
        history->open();
    state.counters["ns_per_point"] = millisecondsSince(begun) * 1e6 / static_cast<double>(pointCount());
    state.counters["bytes_per_point"] =
        static_cast<double>(std::filesystem::file_size(history->files.index)) / static_cast<double>(pointCount());
}

void open(benchmark::State &state)
{
    const History &indexed = indexedHistory();
    double ms = 0;
    for (auto _ : state) {
        opened.reset();
        const auto begun = std::chrono::steady_clock::now();
        opened.emplace(indexed.open());
        const Series *loss = opened->find("loss");
        const double infinite = std::numeric_limits<double>::infinity();
        if (!loss || static_cast<std::int64_t>(loss->size()) != pointCount()
            || loss->columns(XAxis::Step, -infinite, infinite, columnsAsked).size() != columnsAsked)
            std::abort();
        ms += millisecondsSince(begun);
    }
    state.counters["open_ms"] = ms / static_cast<double>(state.iterations());
    state.counters["rss_mb"] = residentMb();
}

void query(benchmark::State &state)
{
    const auto axis = static_cast<XAxis>(state.range(1));
    if (!opened)
        opened.emplace(indexedHistory().open());
    const Series &loss = *opened->find("loss");
    const double low = loss.xOf(axis, loss.front());
    const double high = loss.xOf(axis, loss.back());
    const double span = (high - low) / static_cast<double>(state.range(0));
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> place(low, std::nextafter(high - span, high));
    std::vector<double> first;
    std::vector<double> again;
    for (auto _ : state) {
        const double from = place(random);
        for (int turn = 0; turn < 4; ++turn) {
            const auto begun = std::chrono::steady_clock::now();
            benchmark::DoNotOptimize(loss.columns(axis, from, from + span, columnsAsked));
            (turn == 0 ? first : again).push_back(millisecondsSince(begun));
        }
    }
    state.counters["first_ms"] = percentile(first, 0.5);
    state.counters["first_p99_ms"] = percentile(first, 0.99);
    state.counters["query_ms"] = percentile(again, 0.5);
    state.counters["query_p99_ms"] = percentile(again, 0.99);
    state.counters["rss_mb"] = residentMb();
}

}  // namespace

BENCHMARK(append)->Iterations(10)->Unit(benchmark::kMillisecond);
BENCHMARK(index)->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(open)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(query)
    ->ArgNames({"cover", "axis"})
    ->ArgsProduct({{1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000},
                   {static_cast<int>(XAxis::Step), static_cast<int>(XAxis::WallTime),
                    static_cast<int>(XAxis::RelativeTime)}})
    ->Iterations(1000)
    ->Unit(benchmark::kMillisecond);

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    opened.reset();
    history.reset();
    benchmark::Shutdown();
}
