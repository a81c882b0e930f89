#include "base/clock.h"
#include "feed/feedwriter.h"
#include "feed/ring.h"
#include "train/blas.h"
#include "train/loss.h"
#include "train/model.h"
#include "train/optimizer.h"
#include "train/stepper.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <filesystem>
#include <functional>
#include <stdlib.h>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/torch.h>
#include <vector>

/// The cost of telemetry in a training step: steps of a real training, and after each step the parts of its telemetry
/// again, timed separately. Counters, medians of one run:
///
///     step_us           the whole step
///     telemetry_share   the share of all telemetry
///     reports_share     the share of writing ten values to the ring
///     clocks_share      the share of reading the clock between the parts of a step
///     accuracy_share    the share of counting correct answers
///     norm_share        of it: the norm of the gradients. It is not in telemetry_share where the step needs it anyway: to
///                       leave out a step whose gradients are not finite
namespace {

using namespace sweepscope;
using namespace sweepscope::train;

constexpr std::int64_t batchSize = 64;
constexpr std::int64_t side = 28;
constexpr std::int64_t classes = 10;
constexpr int clockReadsPerStep = 12;
constexpr int repetitions = 20;

using Clock = std::chrono::steady_clock;

double secondsOf(const std::function<void()> &part)
{
    const auto start = Clock::now();
    part();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Returns the median time of one of several calls, each as it would be after other work.
double secondsOfOne(const std::function<void()> &part)
{
    std::vector<double> times;
    for (int i = 0; i < repetitions; ++i)
        times.push_back(secondsOf(part));
    std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
    return times[repetitions / 2];
}

double median(std::vector<double> &values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// A ring as the agent creates it, in a temporary folder.
class Feed {
public:
    Feed()
    {
        std::string name = feed::ringFolder() / "sweepscope-bench-XXXXXX";
        m_folder = ::mkdtemp(name.data());
        m_drain.emplace(feed::RingDrain::create(m_folder / "ring", m_folder / "log", {0, 1, 1, "bench"}).value());
    }
    ~Feed() { std::filesystem::remove_all(m_folder); }
    Feed(const Feed &) = delete;
    Feed &operator=(const Feed &) = delete;

    feed::FeedWriter writer() const { return feed::FeedWriter::open(m_folder / "ring").value(); }
    void empty() { (void)m_drain->drain().value(); }

private:
    std::filesystem::path m_folder;
    std::optional<feed::RingDrain> m_drain;
};

/// One rank that trains an mlp with hidden layers of `hidden`.
struct Training {
    explicit Training(std::int64_t hidden)
        : settings(
            parseSettings({"model=mlp", "layers=2", "hidden=" + std::to_string(hidden), "optimizer=sgd"}, 1).value()),
          group(c10::make_intrusive<c10d::HashStore>(), 0, 1, {}),
          network(makeNetwork(settings, shape(), {torch::kCPU})),
          parallel(network->parameters(), network->buffers(), group, {}),
          optimizer(settings, network->parameters()),
          stepper(settings, Task::Classification, *network, parallel, optimizer, group, Stepper::Figures::AtOnce),
          batch{torch::randn({batchSize, 1, side, side}), torch::randint(classes, {batchSize}, torch::kInt64)}
    {
        network->train(true);
    }

    static ModelShape shape()
    {
        ModelShape shape;
        shape.height = shape.width = side;
        shape.outputs = classes;
        return shape;
    }

    TrainSettings settings;
    ProcessGroup group;
    std::unique_ptr<Network> network;
    DistributedDataParallel parallel;
    Optimizer optimizer;
    Stepper stepper;
    Batch batch;
};

void telemetryOfOneStep(benchmark::State &state)
{
    setComputeThreads(1);
    Training training(state.range(0));
    Feed feed;
    StepReporter reporter(feed.writer());
    const torch::Tensor scores = torch::randn({batchSize, classes});
    std::vector<double> steps;
    std::vector<double> reports;
    std::vector<double> clocks;
    std::vector<double> accuracies;
    std::vector<double> norms;
    std::int64_t step = 0;
    for (auto _ : state) {
        ++step;
        const auto outcome = training.stepper.run(
            step, [&] { return training.batch; }, 1, 0.01, false);
        steps.push_back(outcome->figures.stepSeconds);
        state.SetIterationTime(outcome->figures.stepSeconds);
        reports.push_back(secondsOf([&] { reporter.step(step, outcome->figures); }));
        clocks.push_back(secondsOfOne([] {
            for (int i = 0; i < clockReadsPerStep; ++i)
                benchmark::DoNotOptimize(Clock::now());
        }));
        accuracies.push_back(
            secondsOfOne([&] { benchmark::DoNotOptimize(countCorrect(scores, training.batch.targets)); }));
        norms.push_back(secondsOfOne([&] { benchmark::DoNotOptimize(training.parallel.gradientNorm()); }));
        if (step % 1024 == 0)
            feed.empty();
    }
    const double whole = median(steps);
    const double telemetry = median(reports) + median(clocks) + median(accuracies);
    state.counters["step_us"] = whole * 1e6;
    state.counters["telemetry_share"] = telemetry / whole;
    state.counters["reports_share"] = median(reports) / whole;
    state.counters["clocks_share"] = median(clocks) / whole;
    state.counters["accuracy_share"] = median(accuracies) / whole;
    state.counters["norm_share"] = median(norms) / whole;
}
BENCHMARK(telemetryOfOneStep)->ArgName("hidden")->Arg(64)->Arg(128)->Arg(256)->UseManualTime()->MinTime(1.0);

}  // namespace

BENCHMARK_MAIN();
