#include "search/pbt.h"

#include "search/randomstream.h"
#include "sweep/keys.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace sweepscope::search {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// Draws of settings before one that was tried is taken: from another checkpoint it is another training.
constexpr int mostChanges = 200;
constexpr double redrawProbability = 0.25;
/// A number is multiplied by at most this factor, or divided by it.
constexpr double largestFactor = 1.44;
/// Of the range of a number, so that one near 0 moves, too.
constexpr double leastChange = 0.01;

struct Population {
    std::size_t training = 0;
    std::size_t completed = 0;
    std::vector<std::size_t> reporting;  ///< places of those that train and have a value at a rung
};

Population populationIn(const SearchHistory &history)
{
    Population population;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Observation &trial = history.trials()[place];
        if (trial.outcome == Outcome::Complete || trial.outcome == Outcome::Infeasible)
            ++population.completed;
        if (trial.outcome != Outcome::Pending)
            continue;
        ++population.training;
        if (!trial.rungs.empty() && history.coordinates(place) != nullptr)
            population.reporting.push_back(place);
    }
    return population;
}

std::optional<double> valueAtRung(const Observation &trial, std::int64_t step)
{
    const auto found = std::ranges::find(trial.rungs, step, &RungResult::step);
    return found != trial.rungs.end() ? std::optional(found->value) : std::nullopt;
}

/// The trials with a finite value at the rung where they are compared, the best first.
struct Ranking {
    std::int64_t step = 0;
    std::vector<std::size_t> places;
};

Ranking rankAtRung(const SearchHistory &history, const std::vector<std::size_t> &places)
{
    std::map<std::int64_t, std::size_t> reached;
    for (const std::size_t place : places) {
        for (const RungResult &rung : history.trials()[place].rungs)
            reached[rung.step] += std::isfinite(rung.value) ? 1 : 0;
    }
    Ranking ranking;
    std::size_t most = 1;
    for (const auto &[step, count] : reached) {
        if (count >= most) {
            most = count;
            ranking.step = step;
        }
    }
    std::vector<std::pair<double, std::size_t>> values;
    for (const std::size_t place : places) {
        const std::optional<double> value = valueAtRung(history.trials()[place], ranking.step);
        if (value && std::isfinite(*value))
            values.emplace_back(*value, place);
    }
    std::ranges::sort(values);
    for (const auto &[value, place] : values)
        ranking.places.push_back(place);
    return ranking;
}

/// The smallest change of a number that is worth a trial, or possible.
double leastChangeOf(const sweep::Dimension &dimension, const Axis &axis, double coordinate)
{
    if (dimension.kind == sweep::DimensionKind::LogInteger)
        return 1;
    if (axis.isDiscrete())
        return axis.cell(coordinate).high - axis.cell(coordinate).low;
    return sweep::isLogarithmic(dimension.kind) ? 0 : leastChange * (dimension.high - dimension.low);
}

/// Of a list the neighbour, of another number one nearby, or any value; of a category any value, or the same.
double changed(const SearchHistory &history, std::size_t parameter, double coordinate, sweep::SplitMix64 &random)
{
    const Axis &axis = history.axes()[parameter];
    const bool isAny = random.nextUnit() < redrawProbability;
    const double unit = 2 * random.nextUnit() - 1;
    const double sign = unit < 0 ? -1 : 1;
    if (isAny)
        return axis.atUnit(random.nextUnit());
    if (axis.isCategorical())
        return coordinate;
    if (axis.isRow())
        return std::clamp(coordinate + sign, axis.low(), axis.high());
    const double number = axis.isContinuous() ? axis.number(coordinate)
                                              : history.space().numberAt(parameter, axis.valueIndex(coordinate));
    const double change = std::fabs(number) * (std::pow(largestFactor, unit) - 1);
    const double least = sign * leastChangeOf(history.spec().space[parameter], axis, coordinate);
    return std::clamp(axis.toLine(number + (std::fabs(change) < std::fabs(least) ? least : change)), axis.low(),
                      axis.high());
}

/// Whether a training may go on with another value.
bool mayChange(const sweep::SweepSpec &spec, const sweep::Dimension &dimension)
{
    if (dimension.name == "ranks")
        return false;
    return spec.run.worker == sweep::WorkerKind::Command || sweep::changesInTraining(dimension.name);
}

bool isSamePoint(const Coordinates &one, const Coordinates &other)
{
    return std::ranges::equal(one, other,
                              [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

/// Never those of the parent.
std::optional<sweep::ParameterSet> changedSettings(const SearchHistory &history, const Coordinates &parent,
                                                   sweep::SplitMix64 &random, const PointBuilder &builder)
{
    std::optional<sweep::ParameterSet> tried;
    for (int draw = 0; draw < mostChanges; ++draw) {
        auto point = builder.build([&](std::size_t parameter) {
            if (std::isnan(parent[parameter]))
                return history.axes()[parameter].atUnit(random.nextUnit());
            return mayChange(history.spec(), history.spec().space[parameter])
                       ? changed(history, parameter, parent[parameter], random)
                       : parent[parameter];
        });
        if (!point || isSamePoint(point->coordinates, parent))
            continue;
        if (!history.contains(point->parameters))
            return std::move(point->parameters);
        tried = std::move(point->parameters);
    }
    return tried;
}

}  // namespace

int populationOf(const sweep::SweepSpec &spec)
{
    return std::max(1, spec.devices.concurrent);
}

tl::expected<std::optional<Suggestion>, Fact> suggestByPbt(const SearchHistory &history, int number,
                                                           const PointBuilder &builder)
{
    const auto size = static_cast<std::size_t>(populationOf(history.spec()));
    const Population population = populationIn(history);
    if (number <= static_cast<int>(size))
        return std::nullopt;
    if (population.training == 0 && population.completed != 0)
        return tl::unexpected(
            Fact(Code::PopulationDone).with(Field::Count, static_cast<std::int64_t>(population.completed)));
    if (population.training + population.completed >= size)
        return tl::unexpected<Fact>(Code::ResultsAwaited);
    const Ranking ranking = rankAtRung(history, population.reporting);
    if (ranking.places.empty())
        return std::nullopt;
    const std::size_t best = std::max<std::size_t>(1, ranking.places.size() / 4);
    sweep::SplitMix64 random = randomStream(history.spec().seed, number, Purpose::PbtDraws);
    const std::size_t place = ranking.places[random.nextBelow(best)];
    const Observation &parent = history.trials()[place];
    auto settings = changedSettings(history, *history.coordinates(place), random, builder);
    if (!settings)
        return tl::unexpected<Fact>(Code::ConstraintsTight);
    const double value = valueAtRung(parent, ranking.step).value_or(0);
    return Suggestion{*std::move(settings), Method::Pbt,
                      Fact(Code::ChosenToContinue)
                          .with(Field::Trial, parent.number)
                          .with(Field::Count, static_cast<std::int64_t>(ranking.places.size()))
                          .with(Field::Step, ranking.step)
                          .with(Field::Good, static_cast<std::int64_t>(best))
                          .with(Field::Value, history.spec().goal == sweep::Goal::Maximize ? -value : value)};
}

}  // namespace sweepscope::search
