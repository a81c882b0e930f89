// The CPU time of a search over ten floats.
//   tpe/N, gp/N  one suggestion with N finished trials in the history, which the engine keeps; tpe_N_ms, gp_N_ms
//   gp_fit/N     the same where the kernel has to be fitted again: gp_fit_N_ms
//   add/N        adding a result to a history of N
// tests/bench/search_vs_optuna.py compares them with Optuna in one run.
#include "search/gp.h"
#include "search/suggestion.h"
#include "sweep/searchspace.h"
#include "sweep/splitmix.h"

#include <benchmark/benchmark.h>
#include <cstdint>
#include <string>

using namespace sweepscope;

namespace {

constexpr int parameters = 10;

sweep::SweepSpec tenFloats()
{
    sweep::SweepSpec spec;
    spec.method = sweep::SearchMethod::Tpe;
    for (int i = 0; i < parameters; ++i) {
        sweep::Dimension &dimension = spec.space.emplace_back();
        dimension.name = "x" + std::to_string(i);
        dimension.kind = sweep::DimensionKind::Linear;
        dimension.low = -5;
        dimension.high = 5;
    }
    return spec;
}

search::Observation trial(int number, sweep::SplitMix64 &random)
{
    search::Observation trial;
    trial.number = number;
    trial.outcome = search::Outcome::Complete;
    double sum = 0;
    for (int i = 0; i < parameters; ++i) {
        const double x = 10 * random.nextUnit() - 5;
        trial.parameters.emplace_back("x" + std::to_string(i), x);
        sum += x * x;
    }
    trial.values = {sum};
    return trial;
}

/// A search with that many finished trials.
struct Search {
    sweep::SweepSpec spec = tenFloats();
    sweep::SearchSpace space = sweep::SearchSpace::compile(spec).value();
    search::SearchHistory history{spec, space};
    sweep::SplitMix64 random{7};
    int number = 0;

    explicit Search(std::int64_t trials)
    {
        while (number < trials)
            add();
    }
    void add() { history.set(trial(++number, random)); }
};

/// Adds the time of a suggestion as a counter, in milliseconds.
void countTime(benchmark::State &state, const std::string &what)
{
    state.counters[what + "_" + std::to_string(state.range(0)) + "_ms"] = benchmark::Counter(
        static_cast<double>(state.iterations()) / 1e3, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void suggestBy(benchmark::State &state, search::Method method)
{
    const Search search(state.range(0));
    benchmark::DoNotOptimize(search::suggest(search.history, method, search.number + 1));
    for ([[maybe_unused]] const auto _ : state)
        benchmark::DoNotOptimize(search::suggest(search.history, method, search.number + 1));
    countTime(state, search::toString(method));
}

void fitAndSuggest(benchmark::State &state)
{
    const Search search(state.range(0));
    for ([[maybe_unused]] const auto _ : state) {
        search.history.gpMemory().reset();
        benchmark::DoNotOptimize(search::suggest(search.history, search::Method::Gp, search.number + 1));
    }
    countTime(state, "gp_fit");
}

void addToHistory(benchmark::State &state)
{
    Search search(state.range(0));
    for ([[maybe_unused]] const auto _ : state)
        search.add();
}

BENCHMARK_CAPTURE(suggestBy, tpe, search::Method::Tpe)
    ->Name("tpe")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suggestBy, gp, search::Method::Gp)
    ->Name("gp")
    ->Arg(100)
    ->Arg(500)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(fitAndSuggest)->Name("gp_fit")->Arg(100)->Arg(500)->Unit(benchmark::kMillisecond);
BENCHMARK(addToHistory)->Name("add")->Arg(10'000)->Unit(benchmark::kMicrosecond)->Iterations(2000);

}  // namespace

BENCHMARK_MAIN();
