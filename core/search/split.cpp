#include "search/split.h"

#include "search/pareto.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::search {

namespace {

/// NaN orders as the worst.
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

std::vector<std::size_t> placesOf(History history, Outcome outcome)
{
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < history.size(); ++place) {
        if (history[place].outcome == outcome)
            places.push_back(place);
    }
    return places;
}

void takeFirst(std::vector<std::size_t> &taken, const std::vector<std::size_t> &ordered, std::size_t wanted)
{
    for (std::size_t i = 0; i < ordered.size() && taken.size() < wanted; ++i)
        taken.push_back(ordered[i]);
}

void takeComplete(std::vector<std::size_t> &taken, History history, std::size_t wanted)
{
    std::vector<std::size_t> complete = placesOf(history, Outcome::Complete);
    if (complete.empty())
        return;
    if (history[complete.front()].values.size() < 2) {
        std::ranges::stable_sort(complete, {}, [&](std::size_t place) {
            return orderedValue(history[place].values.empty() ? std::nan("") : history[place].values.front());
        });
        takeFirst(taken, complete, wanted);
        return;
    }
    std::vector<std::vector<double>> points;
    for (const std::size_t place : complete)
        points.push_back(history[place].values);
    makeFinite(points);
    for (const std::size_t index : bestByDominance(points, std::min(wanted, complete.size())))
        taken.push_back(complete[index]);
}

void takePruned(std::vector<std::size_t> &taken, History history, std::size_t wanted)
{
    std::vector<std::size_t> pruned = placesOf(history, Outcome::Pruned);
    const auto orderOf = [&](std::size_t place) {
        const Observation &trial = history[place];
        const double value = trial.values.empty() ? std::nan("") : trial.values.front();
        // Without a step: behind all that have one.
        return trial.step ? std::pair(-static_cast<double>(*trial.step), orderedValue(value))
                          : std::pair(std::numeric_limits<double>::infinity(), 0.0);
    };
    std::ranges::stable_sort(pruned, {}, orderOf);
    takeFirst(taken, pruned, wanted);
}

void takeInfeasible(std::vector<std::size_t> &taken, History history, std::size_t wanted)
{
    std::vector<std::size_t> infeasible = placesOf(history, Outcome::Infeasible);
    std::ranges::stable_sort(infeasible, {}, [&](std::size_t place) { return orderedValue(history[place].violation); });
    takeFirst(taken, infeasible, wanted);
}

}  // namespace

Split splitHistory(History history, std::size_t goodCount)
{
    Split split;
    takeComplete(split.good, history, goodCount);
    takePruned(split.good, history, goodCount);
    takeInfeasible(split.good, history, goodCount);
    std::ranges::sort(split.good);
    for (std::size_t place = 0; place < history.size(); ++place) {
        if (!std::ranges::binary_search(split.good, place))
            split.bad.push_back(place);
    }
    return split;
}

std::size_t goodCount(std::size_t finished, std::size_t objectives)
{
    const std::size_t tenth = (finished + 9) / 10;
    return objectives > 1 ? tenth : std::min<std::size_t>(tenth, 25);
}

}  // namespace sweepscope::search
