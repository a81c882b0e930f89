// The cost of sampling devices: the engine's sampler with its real feed, ten times a second over a simulated driver of
// 8 GPUs that supports every query.
//   core_percent  of one core, including all threads of this process and the fake driver (goal: at most 1)
//   round_us      CPU time of one reading of all GPUs
//   points        written to the feed meanwhile
//   stat_ratio    a reading of one GPU as a multiple of reading /proc/self/stat
// SWEEPSCOPE_BENCH_SECONDS sets the duration (60).
#include "device/sources.h"
#include "feed/feedreader.h"
#include "node/devicesampler.h"
#include "process/processstat.h"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

using namespace sweepscope;

namespace {

constexpr int gpuCount = 8;
constexpr std::chrono::milliseconds interval{100};

double processCpuSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

int secondsToWatch()
{
    const char *given = std::getenv("SWEEPSCOPE_BENCH_SECONDS");
    return given != nullptr ? std::max(2, std::atoi(given)) : 60;
}

std::string gpuScript(int index)
{
    const std::string number = std::to_string(index);
    return R"({"uuid": "GPU-0000000)" + number + R"(", "name": "Fake H200", "bus": "00000000:)" + number
           + R"(B:00.0", "memory": 151397597184, "utilization": {"curve": [0, 50, 100], "every_ms": 700},
              "memory_utilization": 30, "memory_used": {"curve": [1e9, 2e9], "every_ms": 900}, "memory_reserved": 7e8,
              "temperature": 64, "power": {"curve": [300, 500, 700], "every_ms": 300}, "power_limit": 700,
              "sm_clock": 1755, "sm_clock_max": 1980, "memory_clock": 3200, "memory_clock_max": 3201,
              "throttle_reasons": 4, "pcie_generation": 5, "pcie_generation_max": 5, "pcie_width": 16,
              "pcie_width_max": 16, "pcie_tx": 1e9, "pcie_rx": 2e9, "nvlink_tx": 3e9, "nvlink_rx": 4e9,
              "nvlinks": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], "ecc_corrected": 3,
              "ecc_uncorrected": 0, "sm_activity": 71.5, "dram_activity": 40,
              "processes": [{"pid": 4000001, "memory": 1073741824}, {"pid": 4000002, "memory": 1073741824}]})";
}

/// A folder with the script; sets this process's variables for its lifetime.
class SimulatedMachine {
public:
    SimulatedMachine()
    {
        char name[] = "/tmp/sweepscope-bench-XXXXXX";
        m_folder = ::mkdtemp(name);
        std::ofstream script(m_folder / "script.json");
        script << R"({"gpus": [)";
        for (int i = 0; i < gpuCount; ++i)
            script << (i > 0 ? "," : "") << gpuScript(i);
        script << "]}";
        ::setenv("FAKE_NVML_SCRIPT", (m_folder / "script.json").c_str(), 1);
        ::setenv("SWEEPSCOPE_NVML", SWEEPSCOPE_FAKE_NVML, 1);
    }
    ~SimulatedMachine() { std::filesystem::remove_all(m_folder); }
    SimulatedMachine(const SimulatedMachine &) = delete;
    SimulatedMachine &operator=(const SimulatedMachine &) = delete;

    std::filesystem::path feed() const { return m_folder / "devices.feed"; }

private:
    std::filesystem::path m_folder;
};

struct PointCount : feed::RecordVisitor {
    std::int64_t points = 0;
    void point(const feed::Point &) override { ++points; }
};

std::int64_t pointsOf(const std::filesystem::path &file)
{
    PointCount count;
    feed::FeedReader reader(file, {});
    for (;;) {
        const auto records = reader.poll(count);
        if (!records || *records == 0)
            return count.points;
    }
}

double secondsToReadOwnStat()
{
    constexpr int rounds = 2000;
    const double before = processCpuSeconds();
    for (int i = 0; i < rounds; ++i)
        benchmark::DoNotOptimize(process::readProcessStat(::getpid()));
    return (processCpuSeconds() - before) / rounds;
}

void watchesEightGpusAtTenHertz(benchmark::State &state)
{
    const SimulatedMachine machine;
    const int seconds = secondsToWatch();
    for (auto _ : state) {
        std::vector<std::unique_ptr<device::Source>> sources;
        sources.push_back(device::makeNvmlSource());
        if (sources.front()->devices().size() != gpuCount) {
            state.SkipWithError(sources.front()->note().c_str());
            return;
        }
        auto sampler = node::DeviceSampler::start(std::move(sources), machine.feed(), wallNow, interval);
        if (!sampler) {
            state.SkipWithError(sampler.error().message.c_str());
            return;
        }
        const double before = processCpuSeconds();
        (*sampler)->setSampling(true);
        std::this_thread::sleep_for(std::chrono::seconds(seconds));
        const double spent = processCpuSeconds() - before;
        sampler->reset();
        const double rounds = seconds * 1000.0 / static_cast<double>(interval.count());
        state.counters["core_percent"] = 100 * spent / seconds;
        state.counters["round_us"] = spent / rounds * 1e6;
        state.counters["points"] = static_cast<double>(pointsOf(machine.feed()));
        state.counters["stat_ratio"] = spent / rounds / gpuCount / secondsToReadOwnStat();
    }
}
BENCHMARK(watchesEightGpusAtTenHertz)->Iterations(1)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
