#include "search/gpresults.h"

#include "search/warmstart.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace sweepscope::search {

namespace {

using Eigen::Index;

/// Of more results only the newest can be among those that are kept because they are far apart.
constexpr std::size_t mostThinned = 5000;

struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void extendTo(double value)
    {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

/// Indexes of results by source; 0 is this sweep.
std::map<int, std::vector<std::size_t>> bySource(const SearchHistory &history, const GpResults &results)
{
    std::map<int, std::vector<std::size_t>> indexes;
    for (std::size_t i = 0; i < results.places.size(); ++i)
        indexes[history.trials()[results.places[i]].source].push_back(i);
    return indexes;
}

/// Indexes of results, the best first: by their places among those of the same source.
std::vector<std::size_t> bestFirst(const SearchHistory &history, const GpResults &results)
{
    std::vector<double> shares(results.places.size());  // of the results of its source that are better
    for (auto &[source, indexes] : bySource(history, results)) {
        std::vector<std::size_t> order = indexes;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return results.values[i]; });
        for (std::size_t rank = 0; rank < order.size(); ++rank)
            shares[order[rank]] = static_cast<double>(rank) / static_cast<double>(order.size());
    }
    std::vector<std::size_t> order(results.places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return shares[i]; });
    return order;
}

std::vector<bool> categoriesOf(const std::vector<Axis> &axes)
{
    std::vector<bool> isCategory;
    for (const Axis &axis : axes)
        isCategory.push_back(axis.isCategorical());
    return isCategory;
}

OutputWarp warpOf(const GpResults &results, const std::vector<std::size_t> &indexes)
{
    std::vector<double> values;
    for (const std::size_t i : indexes)
        values.push_back(results.values[i]);
    return OutputWarp(values);
}

std::vector<std::size_t> placesOf(const GpResults &results, const std::vector<std::size_t> &indexes)
{
    std::vector<std::size_t> places;
    for (const std::size_t i : indexes)
        places.push_back(results.places[i]);
    return places;
}

/// The mean of what the other sources predict at the points of this sweep.
double levelOf(const SearchHistory &history, const GpResults &results, const std::vector<std::size_t> &own,
               const Eigen::VectorXd &targets)
{
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < results.places.size(); ++i) {
        if (!isOwn(history.trials()[results.places[i]]))
            others.push_back(i);
    }
    Eigen::VectorXd values(static_cast<Index>(others.size()));
    for (std::size_t i = 0; i < others.size(); ++i)
        values[static_cast<Index>(i)] = targets[static_cast<Index>(others[i])];
    const auto parameters = static_cast<Index>(history.axes().size());
    GpParameters smooth;
    smooth.inverseSquares = Eigen::VectorXd::Ones(parameters);
    const GpPosterior posterior(
        GpData{inputsOf(history, placesOf(results, others)), categoriesOf(history.axes()), std::move(values)},
        GpInputs(0, parameters), std::move(smooth));
    return posterior.isValid() ? posterior.predict(inputsOf(history, placesOf(results, own))).means.mean() : 0;
}

}  // namespace

GpInputs inputsOf(const SearchHistory &history, const std::vector<std::size_t> &places)
{
    std::vector<const Coordinates *> points;
    for (const std::size_t place : places)
        points.push_back(history.coordinates(place));
    return gpInputs(history.axes(), points);
}

std::optional<GpResults> resultsOf(const SearchHistory &history)
{
    constexpr double most = 1e300;  // so that differences are finite
    GpResults results;
    std::map<int, Range> finite;  // by source
    std::map<int, Range> usable;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Observation &trial = history.trials()[place];
        if (trial.values.size() > 1)
            return std::nullopt;
        if (history.coordinates(place) == nullptr || trial.outcome == Outcome::Pending
            || trial.outcome == Outcome::Unknown)
            continue;
        // How much a constraint is exceeded says where the border is, so that the value may tell the rest.
        const bool counts = isUsable(trial) || (trial.outcome == Outcome::Infeasible && !trial.excesses.empty());
        const double reported = counts && !trial.values.empty() ? trial.values.front() : std::nan("");
        const double value = std::isnan(reported) ? most : std::clamp(reported, -most, most);
        results.places.push_back(place);
        results.values.push_back(value);
        if (!std::isfinite(reported))
            continue;
        finite[trial.source].extendTo(value);
        if (isUsable(trial))
            usable[trial.source].extendTo(value);
    }
    GpResults compared;
    for (std::size_t i = 0; i < results.places.size(); ++i) {
        const int source = history.trials()[results.places[i]].source;
        const auto range = finite.find(source);
        if (range == finite.end())
            continue;
        double least = range->second.least;
        // A value far below the usable ones would hide the differences between them.
        if (const auto found = usable.find(source); found != usable.end() && found->second.least < found->second.most)
            least = std::max(least, found->second.least - (found->second.most - found->second.least));
        compared.places.push_back(results.places[i]);
        compared.values.push_back(std::clamp(results.values[i], least, range->second.most));
    }
    return compared.places.empty() ? std::nullopt : std::optional(std::move(compared));
}

std::vector<GpResults> excessesOf(const SearchHistory &history)
{
    std::vector<GpResults> all(1);
    const auto add = [](GpResults &to, std::size_t place, double excess) {
        to.places.push_back(place);
        to.values.push_back(excess);
    };
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Observation &trial = history.trials()[place];
        if (history.coordinates(place) == nullptr || trial.outcome == Outcome::Pending
            || trial.outcome == Outcome::Unknown)
            continue;
        const bool isUnexplained = trial.outcome == Outcome::Infeasible && trial.excesses.empty();
        add(all.front(), place, trial.outcome == Outcome::Failed || isUnexplained ? 1 : -1);
        all.resize(std::max(all.size(), 1 + trial.excesses.size()));
        for (std::size_t i = 0; i < trial.excesses.size(); ++i) {
            if (!std::isnan(trial.excesses[i]))
                add(all[i + 1], place, trial.excesses[i]);
        }
    }
    for (GpResults &excesses : all) {
        if (std::ranges::none_of(excesses.values, [](double excess) { return excess > 0; }))
            excesses = {};
    }
    return all;
}

GpResults costsOf(const SearchHistory &history)
{
    GpResults costs;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Observation &trial = history.trials()[place];
        const bool ranToItsEnd = trial.outcome == Outcome::Complete || trial.outcome == Outcome::Infeasible;
        if (!isOwn(trial) || !ranToItsEnd || trial.deviceSeconds <= 0 || history.coordinates(place) == nullptr)
            continue;
        costs.places.push_back(place);
        costs.values.push_back(std::log(trial.deviceSeconds));
    }
    return costs;
}

GpResults firstOf(const GpResults &results, std::size_t count)
{
    return {{results.places.begin(), results.places.begin() + static_cast<std::ptrdiff_t>(count)},
            {results.values.begin(), results.values.begin() + static_cast<std::ptrdiff_t>(count)}};
}

GpResults thinned(const SearchHistory &history, const GpResults &all, std::size_t most)
{
    if (all.places.size() <= most)
        return all;
    const std::size_t share = most / 5;
    std::set<std::size_t> kept;  // indexes in `all`
    const std::vector<std::size_t> order = bestFirst(history, all);
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

GpData dataOf(const SearchHistory &history, const GpResults &results, Eigen::VectorXd values)
{
    GpData data{inputsOf(history, results.places), categoriesOf(history.axes()), std::move(values)};
    for (const std::size_t place : results.places)
        data.sources.push_back(history.trials()[place].source);
    if (std::ranges::all_of(data.sources, [](int source) { return source == 0; }))
        data.sources.clear();
    return data;
}

GpTargets targetsOf(const SearchHistory &history, const GpResults &results)
{
    GpTargets targets{Eigen::VectorXd(static_cast<Index>(results.values.size())), OutputWarp({})};
    const std::map<int, std::vector<std::size_t>> sources = bySource(history, results);
    const auto apply = [&](const std::vector<std::size_t> &indexes) {
        for (const std::size_t i : indexes)
            targets.values[static_cast<Index>(i)] = targets.warp.apply(results.values[i]);
    };
    for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
        targets.warp = warpOf(results, source->second);
        apply(source->second);
    }
    const auto own = sources.find(0);
    if (own == sources.end() || sources.size() == 1)
        return targets;
    const double share = warmStartWeight(own->second.size()) / warmStartWeight(1);
    double level = share * levelOf(history, results, own->second, targets.values);
    const double first = results.values[own->second.front()];
    if (std::ranges::all_of(own->second, [&](std::size_t i) { return results.values[i] == first; })) {
        targets.warp = warpOf(results, std::next(own)->second);  // one value has no scale: that of the first file
        level -= targets.warp.apply(first);
    }
    targets.warp = targets.warp.raisedBy(level);
    apply(own->second);
    return targets;
}

}  // namespace sweepscope::search
