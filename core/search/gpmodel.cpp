#include "search/gpmodel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

namespace sweepscope::search {

namespace {

using Eigen::Index;

/// More results than this are thinned out before the kernel is fitted, because a fit needs dozens of factorizations.
constexpr std::size_t mostFitted = 200;
/// Fewer trials, or trials that differ less (the deviation of the logarithm), say nothing about what a point costs.
constexpr std::size_t leastCosts = 4;
constexpr double leastSpread = 0.1;

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

Eigen::VectorXd valuesOf(const GpResults &results)
{
    return Eigen::Map<const Eigen::VectorXd>(results.values.data(), static_cast<Index>(results.values.size()));
}

/// nullopt as long as all trials are usable.
std::optional<Feasibility> feasibilityOf(const SearchHistory &history, std::size_t most)
{
    const std::vector<GpResults> reasons = excessesOf(history);
    std::vector<std::optional<GpFit>> &fits = memoryOf(history).excesses;
    fits.resize(reasons.size());
    Feasibility feasibility;
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        if (reasons[i].places.empty())
            continue;
        const GpParameters parameters =
            fitted(history, firstOf(reasons[i], lastFit(reasons[i].places.size())), fits[i],
                   [](const GpResults &some) { return Feasibility::scaled(valuesOf(some)).values; });
        const GpResults excesses = thinned(history, reasons[i], most);
        (void)feasibility.add(dataOf(history, excesses, valuesOf(excesses)), parameters);
    }
    return feasibility.isEmpty() ? std::nullopt : std::optional(std::move(feasibility));
}

std::optional<GpCosts> learnCosts(const SearchHistory &history, std::size_t most)
{
    if (!history.spec().budget)
        return std::nullopt;
    const GpResults all = costsOf(history);
    if (all.places.size() < leastCosts)
        return std::nullopt;
    const Eigen::Map<const Eigen::VectorXd> logs(all.values.data(), static_cast<Index>(all.values.size()));
    const double mean = logs.mean();
    const double deviation = std::sqrt((logs.array() - mean).square().mean());
    if (deviation < leastSpread)
        return std::nullopt;
    const auto scaled = [&](const GpResults &some) {
        const Eigen::Map<const Eigen::VectorXd> values(some.values.data(), static_cast<Index>(some.values.size()));
        return Eigen::VectorXd((values.array() - mean) / deviation);
    };
    const GpParameters parameters =
        fitted(history, firstOf(all, lastFit(all.places.size())), memoryOf(history).costs, scaled);
    const GpResults some = thinned(history, all, most);
    GpPosterior posterior(dataOf(history, some, scaled(some)), GpInputs(0, static_cast<Index>(history.axes().size())),
                          parameters);
    if (!posterior.isValid())
        return std::nullopt;
    return GpCosts{std::move(posterior), mean, deviation};
}

}  // namespace

Eigen::VectorXd GpCosts::logarithms(const GpInputs &points) const
{
    return mean + deviation * posterior.predict(points).means.array();
}

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
               [&](const GpResults &some) { return targetsOf(history, some).values; });
    GpResults results = thinned(history, *all, most);
    GpTargets targets = targetsOf(history, results);
    std::vector<std::size_t> own;
    std::ranges::copy_if(results.places, std::back_inserter(own),
                         [&](std::size_t place) { return isOwn(history.trials()[place]); });
    std::vector<std::size_t> pending;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        if (history.trials()[place].outcome == Outcome::Pending && history.coordinates(place) != nullptr)
            pending.push_back(place);
    }
    GpInputs tried = inputsOf(history, pending);
    GpData data = dataOf(history, results, std::move(targets.values));
    GpPosterior posterior(data, tried, parameters);
    if (!posterior.isValid())
        return std::nullopt;
    return GpModel{all->places.size(),           std::move(results),       targets.warp, std::move(data),
                   inputsOf(history, own),       std::move(tried),         parameters,   std::move(posterior),
                   feasibilityOf(history, most), learnCosts(history, most)};
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
