#include "analysis/randombaseline.h"
#include "surrogatesweep.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::analysis;
using analysis::testing::SurrogateSweep;

namespace {

double loss(double lr, double dropout)
{
    return 0.2 + 0.3 * std::pow(std::log10(lr) + 2.7, 2) + std::pow(dropout - 0.3, 2);
}

double accuracy(double lr, double dropout)
{
    return 1 - 0.1 * loss(lr, dropout);
}

/// Medians and quantiles of many real random searches.
RandomBaseline realRandomSearch(const SurrogateSweep::Function &function, sweep::Goal goal, std::size_t trials)
{
    constexpr std::size_t searches = 4000;
    sweep::SplitMix64 random(99);
    std::vector<std::vector<double>> bests(trials, std::vector<double>(searches));
    for (std::size_t search = 0; search < searches; ++search) {
        for (std::size_t trial = 0; trial < trials; ++trial) {
            const double lr = std::pow(10.0, -5 + 4 * random.nextUnit());
            const double value = function(lr, 0.8 * random.nextUnit());
            const double before = trial == 0 ? value : bests[trial - 1][search];
            bests[trial][search] = goal == sweep::Goal::Minimize ? std::min(value, before) : std::max(value, before);
        }
    }
    RandomBaseline real;
    for (std::vector<double> &values : bests) {
        std::ranges::sort(values);
        real.lows.push_back(values[searches / 10]);
        real.medians.push_back(values[searches / 2]);
        real.highs.push_back(values[searches - searches / 10]);
    }
    return real;
}

}  // namespace

TEST_CASE("the baseline is close to real random searches, from the results of a search for the best")
{
    for (const sweep::Goal goal : {sweep::Goal::Minimize, sweep::Goal::Maximize}) {
        SurrogateSweep sweep(goal == sweep::Goal::Minimize ? loss : accuracy);
        sweep.spec.goal = sweep.record.goal = goal;
        sweep.search(40, 2e-3, 0.3);
        const SurrogatePtr surrogate = sweep.surrogate();
        REQUIRE(surrogate);
        const auto baseline = randomBaseline(*surrogate, 50);
        REQUIRE(baseline);
        REQUIRE(baseline->medians.size() == 50);
        const RandomBaseline real = realRandomSearch(sweep.function, goal, 50);
        // The first few trials depend on how bad results are far from the best ones, of which the sweep knows little.
        for (const std::size_t trial : {4, 9, 19, 49}) {
            CAPTURE(trial);
            const double band = real.highs[trial] - real.lows[trial];
            CHECK(std::fabs(baseline->medians[trial] - real.medians[trial]) < 0.25 * band);
            CHECK(std::fabs(baseline->lows[trial] - real.lows[trial]) < 0.5 * band);
            CHECK(std::fabs(baseline->highs[trial] - real.highs[trial]) < 0.5 * band);
        }
    }
}

TEST_CASE("more trials never make the baseline worse, and the same results give the same baseline")
{
    SurrogateSweep sweep(loss);
    sweep.search(25, 2e-3, 0.3);
    const auto baseline = randomBaseline(*sweep.surrogate(), 300);
    REQUIRE(baseline);
    for (const std::vector<double> &curve : {baseline->lows, baseline->medians, baseline->highs}) {
        REQUIRE(curve.size() == 300);
        CHECK(std::ranges::is_sorted(curve, std::greater()));
    }
    for (std::size_t i = 0; i < 300; ++i) {
        CHECK(baseline->lows[i] <= baseline->medians[i]);
        CHECK(baseline->medians[i] <= baseline->highs[i]);
    }
    const auto again = randomBaseline(*sweep.surrogate(), 300);
    CHECK(again->medians == baseline->medians);
    CHECK(again->lows == baseline->lows);
    CHECK(again->highs == baseline->highs);
    CHECK(randomBaseline(*sweep.surrogate(), 100'000)->medians.size() == 400);
}

TEST_CASE("the baseline of a small space ends where all of its points are tried")
{
    SurrogateSweep sweep(loss);
    sweep.spec.space.clear();
    sweep.record.parameterNames.clear();
    sweep.add("lr", sweep::DimensionKind::List, 0, 0).values = {1e-4, 1e-3, 1e-2};
    sweep.add("dropout", sweep::DimensionKind::List, 0, 0).values = {0.0, 0.2, 0.4, 0.6};
    sweep.spec.constraints = {{"small", "lr * dropout < 0.003"}};  // leaves ten of twelve points
    for (const double lr : {1e-4, 1e-3, 1e-2}) {
        for (const double dropout : {0.0, 0.2, 0.4, 0.6}) {
            if (lr * dropout < 0.003)
                sweep.run(lr, dropout);
        }
    }
    const SurrogatePtr surrogate = sweep.surrogate();
    REQUIRE(surrogate);
    const auto baseline = randomBaseline(*surrogate, 100);
    REQUIRE(baseline);
    REQUIRE(baseline->medians.size() == 10);
}

TEST_CASE("few results have no baseline, and many enter the fit thinned out")
{
    SurrogateSweep sweep(loss);
    sweep.search(static_cast<int>(fewestResults) - 1, 2e-3, 0.3);
    CHECK_FALSE(sweep.surrogate());
    sweep.run(1e-2, 0.5);
    CHECK(sweep.surrogate());
    sweep.trials.back().state = sweep::TrialState::Running;
    CHECK_FALSE(sweep.surrogate());
    sweep.search(1000, 2e-3, 0.3);
    CHECK(sweep.surrogate());
}

TEST_CASE("only sweeps whose points follow from results are compared with random search")
{
    using sweep::SearchMethod;
    SurrogateSweep sweep(loss);
    for (const SearchMethod method : {SearchMethod::Grid, SearchMethod::Random, SearchMethod::Sobol}) {
        sweep.spec.method = method;
        CHECK_FALSE(isComparableWithRandom(sweep.spec));
    }
    for (const SearchMethod method : {SearchMethod::Tpe, SearchMethod::Gp, SearchMethod::Cmaes, SearchMethod::Nsga2,
                                      SearchMethod::Auto, SearchMethod::Command, SearchMethod::Optuna}) {
        sweep.spec.method = method;
        CHECK(isComparableWithRandom(sweep.spec));
    }
    sweep.spec.repeats = 3;
    CHECK_FALSE(isComparableWithRandom(sweep.spec));
    sweep.spec.repeats = 1;
    sweep.spec.objectives = {{"latency", sweep::Goal::Minimize}};
    CHECK_FALSE(isComparableWithRandom(sweep.spec));
    sweep.spec.objectives.clear();
    // Auto covers a small space.
    sweep.spec.method = SearchMethod::Auto;
    sweep.spec.trials = 10;
    for (sweep::Dimension &dimension : sweep.spec.space) {
        dimension.kind = sweep::DimensionKind::List;
        dimension.values = {0.1, 0.2, 0.3};
    }
    CHECK_FALSE(isComparableWithRandom(sweep.spec));
}
