#include "search/nsga2.h"

#include "search/pareto.h"
#include "search/randomstream.h"
#include "search/split.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace sweepscope::search {

namespace {

constexpr int mostChildren = 200;
/// How close children stay to their parents: the distribution index of crossover and of mutation.
constexpr double crossoverIndex = 20;
constexpr double mutationIndex = 20;
constexpr double crossoverProbability = 0.9;

struct Parent {
    int trial = 0;
    const Coordinates *coordinates = nullptr;
    std::size_t rank = 0;
};

/// The parents with their ranks; those without all results come last.
std::vector<Parent> parentsOf(const SearchHistory &history)
{
    const std::vector<Observation> &trials = history.trials();
    std::vector<std::size_t> finished;
    std::size_t objectives = 1;
    for (std::size_t place = 0; place < trials.size(); ++place) {
        const Outcome outcome = trials[place].outcome;
        if (history.coordinates(place) == nullptr || outcome == Outcome::Pending || outcome == Outcome::Unknown)
            continue;
        finished.push_back(place);
        objectives = std::max(objectives, trials[place].values.size());
    }
    const std::vector<std::size_t> best = splitHistory(trials, finished, nsga2Population(history)).good;
    std::vector<Parent> parents;
    std::vector<std::vector<double>> points;
    std::vector<std::size_t> withResults;
    for (const std::size_t place : best) {
        const Observation &trial = trials[place];
        if (trial.outcome == Outcome::Complete && trial.values.size() == objectives) {
            withResults.push_back(parents.size());
            points.push_back(trial.values);
            for (double &value : points.back())
                value = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
        }
        parents.push_back({trial.number, history.coordinates(place), std::numeric_limits<std::size_t>::max()});
    }
    const std::vector<std::size_t> ranks = dominanceRanks(points);
    for (std::size_t i = 0; i < ranks.size(); ++i)
        parents[withResults[i]].rank = ranks[i];
    return parents;
}

const Parent &tournament(const std::vector<Parent> &parents, sweep::SplitMix64 &random)
{
    const Parent &one = parents[random.nextBelow(parents.size())];
    const Parent &other = parents[random.nextBelow(parents.size())];
    return other.rank < one.rank ? other : one;
}

/// Simulated binary crossover: the child is as far from its parents as they are from each other, or closer.
double crossed(double first, double second, sweep::SplitMix64 &random)
{
    const double unit = random.nextUnit();
    const double spread = unit <= 0.5 ? std::pow(2 * unit, 1 / (crossoverIndex + 1))
                                      : std::pow(1 / (2 * (1 - unit)), 1 / (crossoverIndex + 1));
    const double half = 0.5 * spread * (first - second);
    return 0.5 * (first + second) + (random.nextUnit() < 0.5 ? half : -half);
}

/// Polynomial mutation.
double mutated(double coordinate, const Axis &axis, sweep::SplitMix64 &random)
{
    const double range = axis.high() - axis.low();
    const double unit = random.nextUnit();
    const double below = (coordinate - axis.low()) / range;
    const double above = (axis.high() - coordinate) / range;
    const double power = mutationIndex + 1;
    const double shift = unit < 0.5
                             ? std::pow(2 * unit + (1 - 2 * unit) * std::pow(1 - below, power), 1 / power) - 1
                             : 1 - std::pow(2 * (1 - unit) + (2 * unit - 1) * std::pow(1 - above, power), 1 / power);
    return coordinate + shift * range;
}

}  // namespace

std::size_t nsga2Population(const SearchHistory &history)
{
    constexpr std::size_t least = 10;
    constexpr std::size_t most = 50;
    return std::clamp<std::size_t>(history.spec().trials / 5, least, most);
}

std::optional<Suggestion> suggestByNsga2(const SearchHistory &history, int number, const PointBuilder &builder)
{
    const std::vector<Parent> parents = parentsOf(history);
    if (parents.empty())
        return std::nullopt;
    const auto modelled = std::ranges::count_if(history.spec().space, SearchHistory::isModelled);
    const double mutationProbability = 1.0 / static_cast<double>(std::max<std::ptrdiff_t>(modelled, 1));
    sweep::SplitMix64 random = randomStream(history.spec().seed, number, Purpose::Nsga2Draws);
    for (int draw = 0; draw < mostChildren; ++draw) {
        const Parent &first = tournament(parents, random);
        const Parent &second = tournament(parents, random);
        const bool areCrossed = random.nextUnit() < crossoverProbability;
        auto child = builder.build([&](std::size_t parameter) {
            const Axis &axis = history.axes()[parameter];
            const double one = (*first.coordinates)[parameter];
            const double other = (*second.coordinates)[parameter];
            double coordinate = std::isnan(one) ? other : one;
            if (std::isnan(coordinate))  // neither parent has it
                return axis.atUnit(random.nextUnit());
            if (areCrossed && !std::isnan(other) && random.nextUnit() < 0.5)
                coordinate = axis.isCategorical() ? other : crossed(one, other, random);
            if (random.nextUnit() >= mutationProbability)
                return coordinate;
            return axis.isCategorical() ? axis.atUnit(random.nextUnit())
                                        : mutated(std::clamp(coordinate, axis.low(), axis.high()), axis, random);
        });
        if (!child || history.contains(child->parameters))
            continue;
        using facts::Field;
        const std::string names = first.trial == second.trial
                                      ? std::to_string(first.trial)
                                      : std::to_string(first.trial) + "," + std::to_string(second.trial);
        return Suggestion{std::move(child->parameters), Method::Nsga2,
                          facts::Fact(facts::Code::ChosenByCrossover)
                              .with(Field::Trials, names)
                              .with(Field::Count, static_cast<std::int64_t>(parents.size()))};
    }
    return std::nullopt;
}

}  // namespace sweepscope::search
