#include "search/gpmodel.h"

#include "search/warmstart.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace sweepscope::search {

namespace {

using Eigen::Index;

/// More results than this are thinned out before the kernel is fitted, because a fit needs dozens of factorizations.
constexpr std::size_t mostFitted = 200;
constexpr std::size_t mostThinned = 5000;
/// Variance of a result of another sweep at its full weight, in units of the results' variance: even where settings compare,
/// another data set or budget moves values.
constexpr double foreignNoise = 0.15;

/// Of all finished trials. An infinite value, and that of a trial that was not usable, counts as the worst finite one. nullopt
/// without a finite value, and with several objectives.
std::optional<GpResults> resultsOf(const SearchHistory &history)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    GpResults results;
    double best = infinity;  // of the finite values
    double worst = -infinity;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Observation &trial = history.trials()[place];
        if (trial.values.size() > 1)
            return std::nullopt;
        if (history.coordinates(place) == nullptr || trial.outcome == Outcome::Pending
            || trial.outcome == Outcome::Unknown)
            continue;
        const double value = isUsable(trial) && !trial.values.empty() ? trial.values.front() : infinity;
        results.places.push_back(place);
        results.values.push_back(std::isnan(value) ? infinity : value);
        if (std::isfinite(value)) {
            best = std::min(best, value);
            worst = std::max(worst, value);
        }
    }
    if (worst < best)
        return std::nullopt;
    for (double &value : results.values)
        value = std::clamp(value, best, worst);
    return results;
}

/// Of all finished trials, whether they were usable (0) or not (1). nullopt if they all were.
std::optional<GpResults> outcomesOf(const SearchHistory &history)
{
    GpResults outcomes;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Observation &trial = history.trials()[place];
        if (history.coordinates(place) == nullptr || trial.outcome == Outcome::Pending
            || trial.outcome == Outcome::Unknown)
            continue;
        outcomes.places.push_back(place);
        outcomes.values.push_back(isUsable(trial) ? 0 : 1);
    }
    const auto [least, most] = std::ranges::minmax_element(outcomes.values);
    return outcomes.values.empty() || *least == *most ? std::nullopt : std::optional(std::move(outcomes));
}

/// The first `count` results.
GpResults firstOf(const GpResults &results, std::size_t count)
{
    return {{results.places.begin(), results.places.begin() + static_cast<std::ptrdiff_t>(count)},
            {results.values.begin(), results.values.begin() + static_cast<std::ptrdiff_t>(count)}};
}

GpInputs inputsOf(const SearchHistory &history, const std::vector<std::size_t> &places)
{
    std::vector<const Coordinates *> points;
    for (const std::size_t place : places)
        points.push_back(history.coordinates(place));
    return gpInputs(history.axes(), points);
}

/// Keeps `most`: the best, the newest, and of the others those that are farthest from what is kept.
GpResults thinned(const SearchHistory &history, const GpResults &all, std::size_t most)
{
    if (all.places.size() <= most)
        return all;
    const std::size_t share = most / 5;
    std::set<std::size_t> kept;  // indexes in `all`
    std::vector<std::size_t> order(all.places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return all.values[i]; });
    kept.insert(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(share));
    for (std::size_t i = all.places.size() - share; i < all.places.size(); ++i)
        kept.insert(i);
    const std::size_t first = all.places.size() - std::min(all.places.size(), mostThinned);
    std::vector<std::size_t> others;
    for (std::size_t i = first; i < all.places.size(); ++i) {
        if (!kept.contains(i))
            others.push_back(all.places[i]);
    }
    std::vector<std::size_t> keptPlaces;
    for (const std::size_t i : kept)
        keptPlaces.push_back(all.places[i]);
    const auto withoutNan = [](GpInputs inputs) { return GpInputs(inputs.array().isNaN().select(-1, inputs)); };
    const GpInputs points = withoutNan(inputsOf(history, others));
    const GpInputs centres = withoutNan(inputsOf(history, keptPlaces));
    Eigen::VectorXd distances = Eigen::VectorXd::Constant(points.rows(), std::numeric_limits<double>::infinity());
    for (Index i = 0; i < centres.rows(); ++i)
        distances = distances.cwiseMin((points.rowwise() - centres.row(i)).rowwise().squaredNorm());
    std::set<std::size_t> places(keptPlaces.begin(), keptPlaces.end());
    while (places.size() < most && places.size() < keptPlaces.size() + others.size()) {
        Index farthest = 0;
        distances.maxCoeff(&farthest);
        places.insert(others[static_cast<std::size_t>(farthest)]);
        distances = distances.cwiseMin((points.rowwise() - points.row(farthest)).rowwise().squaredNorm());
        distances[farthest] = -1;
    }
    GpResults some;
    for (std::size_t i = 0; i < all.places.size(); ++i) {
        if (places.contains(all.places[i])) {
            some.places.push_back(all.places[i]);
            some.values.push_back(all.values[i]);
        }
    }
    return some;
}

Eigen::VectorXd warped(const GpResults &results, const OutputWarp &warp)
{
    Eigen::VectorXd values(static_cast<Index>(results.values.size()));
    for (std::size_t i = 0; i < results.values.size(); ++i)
        values[static_cast<Index>(i)] = warp.apply(results.values[i]);
    return values;
}

std::vector<bool> categoriesOf(const std::vector<Axis> &axes)
{
    std::vector<bool> isCategory;
    for (const Axis &axis : axes)
        isCategory.push_back(axis.isCategorical());
    return isCategory;
}

GpData dataOf(const SearchHistory &history, const GpResults &results, Eigen::VectorXd values)
{
    GpData data{inputsOf(history, results.places), categoriesOf(history.axes()), std::move(values)};
    const auto own = static_cast<std::size_t>(
        std::ranges::count_if(results.places, [&](std::size_t place) { return isOwn(history.trials()[place]); }));
    if (own == results.places.size())
        return data;
    data.extraNoise = Eigen::VectorXd::Zero(data.values.size());
    for (std::size_t i = 0; i < results.places.size(); ++i) {
        if (!isOwn(history.trials()[results.places[i]]))
            data.extraNoise[static_cast<Index>(i)] = foreignNoise / warmStartWeight(own);
    }
    return data;
}

GpParameters fitted(const SearchHistory &history, const GpResults &results, std::optional<GpFit> &known,
                    const std::function<Eigen::VectorXd(const GpResults &)> &valuesOf)
{
    std::vector<int> numbers;
    for (const std::size_t place : results.places)
        numbers.push_back(history.trials()[place].number);
    if (!known || known->numbers != numbers || known->values != results.values) {
        const GpResults some = thinned(history, results, mostFitted);
        known = GpFit{std::move(numbers), results.values, fitGp(dataOf(history, some, valuesOf(some)))};
    }
    return known->parameters;
}

GpMemory &memoryOf(const SearchHistory &history)
{
    if (!history.gpMemory())
        history.gpMemory() = std::make_shared<GpMemory>();
    return *history.gpMemory();
}

Eigen::VectorXd outcomeValues(const GpResults &outcomes)
{
    return Eigen::Map<const Eigen::VectorXd>(outcomes.values.data(), static_cast<Index>(outcomes.values.size()));
}

bool areOfOneKind(const GpResults &outcomes)
{
    const auto [least, most] = std::ranges::minmax_element(outcomes.values);
    return *least == *most;
}

/// nullopt as long as all trials are usable.
std::optional<Feasibility> feasibilityOf(const SearchHistory &history, std::size_t most)
{
    const std::optional<GpResults> all = outcomesOf(history);
    if (!all)
        return std::nullopt;
    const GpResults first = firstOf(*all, lastFit(all->places.size()));
    GpParameters parameters;
    parameters.inverseSquares = Eigen::VectorXd::Ones(static_cast<Index>(history.axes().size()));
    if (!areOfOneKind(first))
        parameters = fitted(history, first, memoryOf(history).outcomes, [](const GpResults &some) {
            return areOfOneKind(some) ? Eigen::VectorXd::Zero(static_cast<Index>(some.values.size()))
                                      : Feasibility::scaled(outcomeValues(some));
        });
    const GpResults outcomes = thinned(history, *all, most);
    if (areOfOneKind(outcomes))
        return std::nullopt;
    Feasibility feasibility(dataOf(history, outcomes, outcomeValues(outcomes)), parameters);
    return feasibility.isValid() ? std::optional(std::move(feasibility)) : std::nullopt;
}

}  // namespace

std::size_t lastFit(std::size_t results)
{
    std::size_t fit = std::min<std::size_t>(results, 50);
    while (fit >= 50 && (fit * 11 + 9) / 10 <= results)
        fit = (fit * 11 + 9) / 10;
    return fit;
}

std::optional<GpModel> fitGpModel(const SearchHistory &history, std::size_t most)
{
    const std::optional<GpResults> all = resultsOf(history);
    if (!all)
        return std::nullopt;
    const GpParameters parameters =
        fitted(history, firstOf(*all, lastFit(all->places.size())), memoryOf(history).values,
               [](const GpResults &some) { return warped(some, OutputWarp(some.values)); });
    GpResults results = thinned(history, *all, most);
    const OutputWarp warp(results.values);
    std::vector<std::size_t> own;
    std::ranges::copy_if(results.places, std::back_inserter(own),
                         [&](std::size_t place) { return isOwn(history.trials()[place]); });
    std::vector<std::size_t> pending;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        if (history.trials()[place].outcome == Outcome::Pending && history.coordinates(place) != nullptr)
            pending.push_back(place);
    }
    GpInputs tried = inputsOf(history, pending);
    GpData data = dataOf(history, results, warped(results, warp));
    GpPosterior posterior(data, tried, parameters);
    if (!posterior.isValid())
        return std::nullopt;
    return GpModel{all->places.size(), std::move(results),     warp,
                   std::move(data),    inputsOf(history, own), std::move(tried),
                   parameters,         std::move(posterior),   feasibilityOf(history, most)};
}

Eigen::RowVectorXd gpInput(const SearchHistory &history, Coordinates point)
{
    for (std::size_t i = 0; i < point.size(); ++i) {
        if (!SearchHistory::isModelled(history.spec().space[i]))
            point[i] = inactive;
    }
    return gpInputs(history.axes(), {&point}).row(0);
}

}  // namespace sweepscope::search
