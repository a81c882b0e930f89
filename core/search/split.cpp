#include "search/split.h"

#include "search/pareto.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace sweepscope::search {

namespace {

/// NaN orders as the worst value.
double orderedValue(double value)
{
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

/// Infinite values become somewhat larger, or smaller, than the finite ones of their objective: volumes stay finite, and
/// no order changes.
void makeFinite(std::vector<std::vector<double>> &points)
{
    for (std::size_t objective = 0; objective < points.front().size(); ++objective) {
        double least = std::numeric_limits<double>::infinity();
        double largest = -std::numeric_limits<double>::infinity();
        for (const std::vector<double> &point : points) {
            if (!std::isfinite(point[objective]))
                continue;
            least = std::min(least, point[objective]);
            largest = std::max(largest, point[objective]);
        }
        if (largest < least)
            least = largest = 0;
        const double margin = std::max(largest - least, 1.0);
        for (std::vector<double> &point : points) {
            double &value = point[objective];
            if (!std::isfinite(value))
                value = orderedValue(value) > 0 ? largest + margin : least - margin;
        }
    }
}

/// Appends places ordered by their keys until `chosen` has `wanted`; among equal keys the first places.
template <typename Key>
void chooseFirst(std::vector<std::size_t> &chosen, std::vector<std::size_t> places, std::size_t wanted,
                 const Key &keyOf)
{
    const std::size_t count = std::min(wanted - std::min(wanted, chosen.size()), places.size());
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::partial_sort(places, end, {}, [&](std::size_t place) { return std::pair(keyOf(place), place); });
    chosen.insert(chosen.end(), places.begin(), end);
}

void chooseComplete(std::vector<std::size_t> &chosen, History history, const std::vector<std::size_t> &complete,
                    std::size_t wanted)
{
    if (complete.empty())
        return;
    if (history[complete.front()].values.size() < 2) {
        return chooseFirst(chosen, complete, wanted, [&](std::size_t place) {
            return orderedValue(history[place].values.empty() ? std::nan("") : history[place].values.front());
        });
    }
    std::vector<std::vector<double>> points;
    for (const std::size_t place : complete)
        points.push_back(history[place].values);
    makeFinite(points);
    for (const std::size_t index : bestByDominance(points, std::min(wanted, complete.size())))
        chosen.push_back(complete[index]);
}

/// A trial without a report comes after all that have one.
std::pair<double, double> orderOfPruned(const Observation &trial)
{
    if (!trial.step)
        return {std::numeric_limits<double>::infinity(), 0};
    return {-static_cast<double>(*trial.step),
            orderedValue(trial.values.empty() ? std::nan("") : trial.values.front())};
}

}  // namespace

namespace {

std::optional<double> valueAt(const Observation &trial, std::int64_t rung)
{
    const auto found = std::ranges::find(trial.rungs, rung, &RungResult::step);
    return found != trial.rungs.end() && std::isfinite(found->value) ? std::optional(found->value) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> modelRung(History history, const std::vector<std::size_t> &places, std::size_t needed)
{
    std::map<std::int64_t, std::size_t> results;
    for (const std::size_t place : places) {
        for (const RungResult &rung : history[place].rungs)
            results[rung.step] += std::isfinite(rung.value) ? 1 : 0;
    }
    for (auto rung = results.rbegin(); rung != results.rend(); ++rung) {
        if (rung->second >= needed)
            return rung->first;
    }
    return std::nullopt;
}

Split splitAtRung(History history, const std::vector<std::size_t> &places, std::int64_t rung)
{
    std::vector<std::size_t> reached;
    for (const std::size_t place : places) {
        if (valueAt(history[place], rung))
            reached.push_back(place);
    }
    Split split;
    chooseFirst(split.good, reached, goodCount(reached.size(), 1),
                [&](std::size_t place) { return *valueAt(history[place], rung); });
    std::ranges::sort(split.good);
    std::ranges::set_difference(places, split.good, std::back_inserter(split.bad));
    return split;
}

Split splitHistory(History history, const std::vector<std::size_t> &places, std::size_t goodCount)
{
    std::vector<std::size_t> complete;
    std::vector<std::size_t> pruned;
    std::vector<std::size_t> infeasible;
    std::size_t objectives = 0;
    for (const std::size_t place : places) {
        if (history[place].outcome == Outcome::Complete)
            objectives = std::max(objectives, history[place].values.size());
    }
    for (const std::size_t place : places) {
        const Observation &trial = history[place];
        if (trial.outcome == Outcome::Complete && trial.values.size() == objectives)
            complete.push_back(place);
        else if (trial.outcome == Outcome::Pruned)
            pruned.push_back(place);
        else if (trial.outcome == Outcome::Infeasible)
            infeasible.push_back(place);
    }
    Split split;
    chooseComplete(split.good, history, complete, goodCount);
    chooseFirst(split.good, pruned, goodCount, [&](std::size_t place) { return orderOfPruned(history[place]); });
    chooseFirst(split.good, infeasible, goodCount,
                [&](std::size_t place) { return orderedValue(history[place].violation); });
    std::ranges::sort(split.good);
    std::ranges::set_difference(places, split.good, std::back_inserter(split.bad));
    return split;
}

std::size_t goodCount(std::size_t finished, std::size_t objectives)
{
    const std::size_t tenth = (finished + 9) / 10;
    return objectives > 1 ? tenth : std::min<std::size_t>(tenth, 25);
}

}  // namespace sweepscope::search
