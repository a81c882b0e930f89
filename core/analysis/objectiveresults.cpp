#include "analysis/objectiveresults.h"

#include "search/pareto.h"
#include "sweep/outcome.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sweepscope::analysis {

namespace {

/// A hypervolume of more than three objectives costs a higher power of the front's size.
std::size_t largestFront(std::size_t objectives)
{
    return objectives <= 3 ? 200 : 40;
}

bool isFinite(const std::vector<double> &values)
{
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// Each objective from 0 (best) to 1 (worst); 0 if all trials have the same value.
std::vector<std::vector<double>> scaledResults(const ObjectiveResults &results)
{
    std::vector<std::vector<double>> scaled(results.trials.size(), std::vector<double>(results.names.size()));
    for (std::size_t objective = 0; objective < results.names.size(); ++objective) {
        const auto cost = [&](const std::vector<double> &values) {
            return results.signs[objective] * values[objective];
        };
        const auto [best, worst] = std::ranges::minmax(results.values, {}, cost);
        const double low = cost(best);
        const double width = cost(worst) - low;
        for (std::size_t i = 0; i < scaled.size(); ++i)
            scaled[i][objective] = width > 0 ? (cost(results.values[i]) - low) / width : 0;
    }
    return scaled;
}

bool isNoBetter(const std::vector<double> &point, const std::vector<double> &other)
{
    return std::ranges::equal(other, point, [](double a, double b) { return a <= b; });
}

}  // namespace

ObjectiveResults collectObjectives(const sweep::SweepSpec &spec, const std::vector<sweep::TrialRecord> &trials)
{
    ObjectiveResults results;
    const auto constraints = sweep::OutcomeConstraints::compile(spec);
    if (spec.objectives.empty() || !constraints)
        return results;
    results.names.push_back(spec.objective);
    for (const sweep::Objective &objective : spec.objectives)
        results.names.push_back(objective.name);
    for (std::size_t objective = 0; objective < results.names.size(); ++objective)
        results.signs.push_back(sweep::signOf(spec, objective));
    std::vector<const sweep::TrialRecord *> usable;
    for (const sweep::TrialRecord &trial : trials) {
        if (trial.state == sweep::TrialState::Completed && isFinite(sweep::objectiveValues(spec, trial))
            && constraints->violation(trial) == 0)
            usable.push_back(&trial);
    }
    std::ranges::stable_sort(usable, {}, [](const sweep::TrialRecord *trial) { return trial->ended.value_or(0); });
    for (const sweep::TrialRecord *trial : usable) {
        results.trials.push_back(trial->number);
        std::vector<double> &values = results.values.emplace_back(sweep::objectiveValues(spec, *trial));
        for (std::size_t objective = 0; objective < values.size(); ++objective)
            values[objective] *= results.signs[objective];
    }
    return results;
}

std::vector<std::size_t> frontOf(const ObjectiveResults &results, std::size_t x, std::size_t y)
{
    const auto cost = [&](std::size_t place, std::size_t objective) {
        return results.signs[objective] * results.values[place][objective];
    };
    std::vector<std::size_t> order(results.trials.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t place) { return std::pair(cost(place, x), cost(place, y)); });
    std::vector<std::size_t> front;
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t place : order) {
        if (cost(place, y) < least)
            front.push_back(place);
        least = std::min(least, cost(place, y));
    }
    if (results.signs[x] < 0)
        std::ranges::reverse(front);
    return front;
}

std::vector<double> hypervolumes(const ObjectiveResults &results)
{
    std::vector<double> volumes;
    if (results.trials.empty())
        return volumes;
    const std::vector<double> reference(results.names.size(), 1.0);
    std::vector<std::vector<double>> front;
    for (const std::vector<double> &point : scaledResults(results)) {
        const double before = volumes.empty() ? 0 : volumes.back();
        const bool isDominated =
            std::ranges::any_of(front, [&point](const auto &other) { return isNoBetter(point, other); });
        if (isDominated || front.size() == largestFront(results.names.size())) {
            volumes.push_back(before);
            continue;
        }
        std::erase_if(front, [&point](const auto &other) { return isNoBetter(other, point); });
        front.push_back(point);
        volumes.push_back(search::hypervolume(front, reference));
    }
    return volumes;
}

}  // namespace sweepscope::analysis
