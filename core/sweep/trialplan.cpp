#include "sweep/trialplan.h"

#include "sweep/grid.h"
#include "sweep/problem.h"
#include "sweep/randomsearch.h"
#include "sweep/searchspace.h"
#include "sweep/splitmix.h"

#include <algorithm>
#include <string>

namespace sweepscope::sweep {

namespace {

Expected<SearchSpace> compiled(const SweepSpec &spec)
{
    auto space = SearchSpace::compile(spec);
    if (!space)
        return makeError(ErrorCode::BadInput, describe(space.error().front(), {}));
    return std::move(*space);
}

std::string grouped(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t i = text.size(); i > 3; i -= 3)
        text.insert(i - 3, 1, ',');
    return text;
}

Expected<std::uint64_t> countGrid(const Grid &grid)
{
    const auto size = grid.count(maxTrials);
    if (!size)
        return tl::unexpected(size.error());
    if (size->isMore || size->count > maxTrials)
        return makeError(ErrorCode::BadInput,
                         "the grid has " + std::string(size->isMore ? "more than " : "")
                             + grouped(size->isMore ? maxTrials : size->count)
                             + " trials; at most 1,000,000 are allowed: use fewer values, or method = \"random\"");
    if (size->count == 0)
        return makeError(ErrorCode::BadInput,
                         "the constraints leave no trial: every combination of the parameters violates one of them");
    return size->count;
}

Expected<void> checkTrialNumber(const SweepSpec &spec)
{
    if (spec.trials > maxTrials)
        return makeError(ErrorCode::BadInput,
                         "asks for " + grouped(spec.trials) + " trials; at most 1,000,000 are allowed");
    return {};
}

std::int64_t wholeNumber(const ParameterValue &value, std::int64_t otherwise)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return *whole;
    if (const auto *real = std::get_if<double>(&value); real != nullptr && *real >= 0 && *real <= 9e15)
        return static_cast<std::int64_t>(*real);
    return otherwise;
}

}  // namespace

TrialPlan planPoint(const SweepSpec &spec, int number, ParameterSet parameters)
{
    TrialPlan plan{number, std::move(parameters), trialSeed(spec.seed, number), spec.run.ranks};
    if (const ParameterValue *seed = find(plan.parameters, "seed"))
        plan.seed = static_cast<std::uint64_t>(wholeNumber(*seed, static_cast<std::int64_t>(plan.seed)));
    if (const ParameterValue *ranks = find(plan.parameters, "ranks"))
        plan.ranks = static_cast<int>(wholeNumber(*ranks, spec.run.ranks));
    return plan;
}

bool isOpenEnded(const SweepSpec &spec)
{
    if (spec.repeats > 1)
        return true;
    switch (spec.method) {
    case SearchMethod::Grid:
        break;
    case SearchMethod::Random:
        return spec.trials == 0;
    case SearchMethod::Sobol:
    case SearchMethod::Tpe:
    case SearchMethod::Gp:
    case SearchMethod::Cmaes:
    case SearchMethod::Nsga2:
    case SearchMethod::Pbt:
    case SearchMethod::Auto:
    case SearchMethod::Command:
    case SearchMethod::Optuna:
        return true;
    }
    return false;
}

std::optional<int> trialsToSearch(const SweepSpec &spec)
{
    if (!isOpenEnded(spec))
        return 0;
    if (spec.method == SearchMethod::Grid) {
        const auto points = countTrials(spec);
        return points ? static_cast<int>(std::min(*points * static_cast<std::uint64_t>(spec.repeats), maxTrials)) : 0;
    }
    return spec.trials != 0 ? std::optional(static_cast<int>(std::min(spec.trials, maxTrials))) : std::nullopt;
}

Expected<std::uint64_t> countTrials(const SweepSpec &spec)
{
    const auto space = compiled(spec);
    if (!space)
        return tl::unexpected(space.error());
    if (spec.method == SearchMethod::Grid)
        return countGrid(Grid(*space));
    SweepSpec sample = spec;
    const auto repeats = static_cast<std::uint64_t>(spec.repeats);
    const bool isPopulation = spec.method == SearchMethod::Pbt;  // its first trials have different points, at least
    const std::uint64_t points =
        isPopulation ? static_cast<std::uint64_t>(std::max(1, spec.devices.concurrent)) : spec.trials / repeats;
    sample.trials = std::max<std::uint64_t>(points, 1);  // a space without any point is a mistake
    auto checked = checkTrialNumber(spec);
    if (checked)
        checked = checkRandomTrials(sample, *space);
    if (!checked)
        return tl::unexpected(checked.error());
    return spec.trials;
}

Expected<std::vector<TrialPlan>> planTrials(const SweepSpec &spec)
{
    const auto space = compiled(spec);
    if (!space)
        return tl::unexpected(space.error());
    std::vector<TrialPlan> plans;
    if (isOpenEnded(spec))
        return plans;
    if (spec.method == SearchMethod::Random) {
        if (const auto checked = checkTrialNumber(spec); !checked)
            return tl::unexpected(checked.error());
        auto sets = drawRandomTrials(spec, *space);
        if (!sets)
            return tl::unexpected(sets.error());
        plans.reserve(sets->size());
        for (ParameterSet &set : *sets)
            plans.push_back(planPoint(spec, static_cast<int>(plans.size()) + 1, std::move(set)));
        return plans;
    }

    const Grid grid(*space);
    if (const auto count = countGrid(grid); !count)
        return tl::unexpected(count.error());
    const auto points = grid.points();
    if (!points)
        return tl::unexpected(points.error());
    plans.reserve(points->size());
    for (const GridPoint &point : *points) {
        ParameterSet set;
        for (std::size_t i = 0; i < point.size(); ++i) {
            if (point[i] != switchedOff)
                set.emplace_back(spec.space[i].name, space->values(i).at(point[i]));
        }
        plans.push_back(planPoint(spec, static_cast<int>(plans.size()) + 1, std::move(set)));
    }
    return plans;
}

/// All points once, then all of them again, and so on.
static Expected<std::vector<TrialPlan>> typicalRepeats(const SweepSpec &spec, std::size_t most)
{
    const auto repeats = static_cast<std::size_t>(spec.repeats);
    SweepSpec once = spec;
    once.repeats = 1;
    once.trials = (spec.trials + repeats - 1) / repeats;
    auto points = typicalTrials(once, (most + repeats - 1) / repeats);
    if (!points)
        return points;
    const std::optional<int> all = trialsToSearch(spec);
    const std::size_t count = std::min(all ? static_cast<std::size_t>(*all) : most, points->size() * repeats);
    std::vector<TrialPlan> plans;
    plans.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        plans.push_back(planPoint(spec, static_cast<int>(i) + 1, (*points)[i % points->size()].parameters));
    return plans;
}

Expected<std::vector<TrialPlan>> typicalTrials(const SweepSpec &spec, std::size_t most)
{
    if (!isOpenEnded(spec))
        return planTrials(spec);
    if (spec.repeats > 1)
        return typicalRepeats(spec, most);
    SweepSpec drawn = spec;
    drawn.method = SearchMethod::Random;
    drawn.trials = std::min<std::uint64_t>(spec.trials != 0 ? spec.trials : most, most);
    auto plans = planTrials(drawn);
    for (; !plans && spec.trials == 0 && drawn.trials > 1; plans = planTrials(drawn))
        drawn.trials /= 2;  // the space has fewer points
    return plans;
}

}  // namespace sweepscope::sweep
