#include "analysis/randombaseline.h"

#include "search/auto.h"
#include "search/truncatednormal.h"
#include "sweep/splitmix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace sweepscope::analysis {

namespace {

constexpr std::size_t poolSize = 800;
/// Half of the pool: later trials of a search would hardly find new points in it.
constexpr std::size_t mostTrials = poolSize / 2;
constexpr std::size_t searches = 400;
constexpr std::uint64_t baselineSeed = 0x52616e646f6dULL;
/// Draws in vain, in all, before the pool is taken for the whole space.
constexpr std::size_t mostVainDraws = 20'000;
constexpr double outside = 0.1;       ///< share of the searches on each side of the band
constexpr double mostDeviations = 8;  ///< of a normal random number

/// Different points as random search draws them.
std::vector<search::Coordinates> drawPool(const Surrogate &surrogate, sweep::SplitMix64 &random)
{
    std::vector<search::Coordinates> pool;
    std::set<sweep::ParameterSet> drawn;
    std::vector<double> units(surrogate.axes().size());
    for (std::size_t vain = 0; pool.size() < poolSize && vain < mostVainDraws;) {
        std::ranges::generate(units, [&] { return random.nextUnit(); });
        auto point = surrogate.builder().fromUnits(units);
        if (point && drawn.insert(std::move(point->parameters)).second)
            pool.push_back(std::move(point->coordinates));
        else
            ++vain;
    }
    return pool;
}

Eigen::MatrixXd drawNormals(std::size_t rows, std::size_t columns, sweep::SplitMix64 &random)
{
    Eigen::MatrixXd normals(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    for (Eigen::Index i = 0; i < normals.size(); ++i)
        normals.data()[i] = search::truncatedNormalQuantile(random.nextUnit(), -mostDeviations, mostDeviations);
    return normals;
}

/// The least result so far after each of the first `trials` trials of a search: a column of `results` in random order.
std::vector<double> bestSoFar(const Eigen::MatrixXd &results, std::size_t search, std::size_t trials,
                              sweep::SplitMix64 &random)
{
    std::vector<std::size_t> order(static_cast<std::size_t>(results.rows()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<double> best;
    for (std::size_t trial = 0; trial < trials; ++trial) {
        std::swap(order[trial], order[trial + random.nextBelow(order.size() - trial)]);
        const double result = results(static_cast<Eigen::Index>(order[trial]), static_cast<Eigen::Index>(search));
        best.push_back(trial == 0 ? result : std::min(best.back(), result));
    }
    return best;
}

}  // namespace

bool isComparableWithRandom(const sweep::SweepSpec &spec)
{
    using sweep::SearchMethod;
    if (spec.repeats > 1 || !spec.objectives.empty())
        return false;
    switch (spec.method) {
    case SearchMethod::Grid:
    case SearchMethod::Random:
    case SearchMethod::Sobol:
    case SearchMethod::Pbt:  // its results are not of its points alone
        return false;
    case SearchMethod::Auto:
        return search::chooseAutomatically(spec).method != search::Method::Sobol;
    case SearchMethod::Tpe:
    case SearchMethod::Gp:
    case SearchMethod::Cmaes:
    case SearchMethod::Nsga2:
    case SearchMethod::Command:
    case SearchMethod::Optuna:
        break;
    }
    return true;
}

std::optional<RandomBaseline> randomBaseline(const Surrogate &surrogate, std::size_t trials)
{
    sweep::SplitMix64 random(baselineSeed);
    const std::vector<search::Coordinates> pool = drawPool(surrogate, random);
    if (pool.size() < 2)
        return std::nullopt;
    trials = std::min({trials, pool.size(), mostTrials});
    const auto results = surrogate.drawResults(pool, drawNormals(pool.size(), searches, random));
    if (!results)
        return std::nullopt;
    std::vector<std::vector<double>> bests;
    for (std::size_t search = 0; search < searches; ++search)
        bests.push_back(bestSoFar(*results, search, trials, random));

    RandomBaseline baseline;
    std::vector<double> ranked(searches);
    for (std::size_t trial = 0; trial < trials; ++trial) {
        std::ranges::transform(bests, ranked.begin(), [&](const std::vector<double> &best) { return best[trial]; });
        std::ranges::sort(ranked);
        const auto quantile = [&](double share) {
            return surrogate.toTarget(ranked[static_cast<std::size_t>(share * static_cast<double>(searches - 1))]);
        };
        baseline.medians.push_back(quantile(0.5));
        const auto [low, high] = std::minmax({quantile(outside), quantile(1 - outside)});
        baseline.lows.push_back(low);
        baseline.highs.push_back(high);
    }
    return baseline;
}

}  // namespace sweepscope::analysis
