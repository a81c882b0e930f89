#include "search/cmaes.h"

#include "search/evolution.h"
#include "search/randomstream.h"
#include "search/truncatednormal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace sweepscope::search {

namespace {

using Eigen::Index;

/// After as many draws outside of the space, one is moved to its border.
constexpr int mostDrawsOutside = 100;
/// Of each parameter's range.
constexpr double firstDeviation = 1.0 / 6;

std::vector<std::size_t> modelledParameters(const SearchHistory &history)
{
    std::vector<std::size_t> parameters;
    for (std::size_t i = 0; i < history.axes().size(); ++i) {
        if (SearchHistory::isModelled(history.spec().space[i]))
            parameters.push_back(i);
    }
    return parameters;
}

/// Completed trials by value, then pruned ones, the later the better, then the others.
std::tuple<int, double, double> rankOf(const Observation &trial)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double value = trial.values.empty() || std::isnan(trial.values.front()) ? infinity : trial.values.front();
    switch (trial.outcome) {
    case Outcome::Complete:
        return {0, value, 0};
    case Outcome::Pruned:
        return {1, -static_cast<double>(trial.step.value_or(0)), value};
    case Outcome::Infeasible:
        return {2, trial.violation, value};
    case Outcome::Failed:
    case Outcome::Pending:
    case Outcome::Unknown:
        break;
    }
    return {3, 0, 0};
}

/// Where a parameter of a trial lies in its range, from 0 to 1; NaN if it has none.
double unitOf(const SearchHistory &history, std::size_t place, std::size_t parameter)
{
    const Axis &axis = history.axes()[parameter];
    return ((*history.coordinates(place))[parameter] - axis.low()) / (axis.high() - axis.low());
}

/// The best tenth of each other sweep's results.
std::vector<std::size_t> bestOfOthers(const SearchHistory &history)
{
    std::map<int, std::vector<std::size_t>> bySource;
    for (std::size_t place = 0; place < history.trials().size() && !isOwn(history.trials()[place]); ++place) {
        if (history.coordinates(place) != nullptr && history.trials()[place].outcome == Outcome::Complete)
            bySource[history.trials()[place].source].push_back(place);
    }
    std::vector<std::size_t> best;
    for (auto &[source, places] : bySource) {
        std::ranges::stable_sort(places, {}, [&](std::size_t place) { return rankOf(history.trials()[place]); });
        places.resize((places.size() + 9) / 10);
        best.insert(best.end(), places.begin(), places.end());
    }
    return best;
}

/// The distribution before any result: around the middle of the space, or around the best results of other sweeps, as wide
/// as they spread and a tenth of the range (Nomura et al. 2021, arXiv:2012.06932).
Evolution firstGeneration(const SearchHistory &history, const std::vector<std::size_t> &best,
                          const std::vector<std::size_t> &parameters, const std::vector<std::uint64_t> &cells)
{
    const auto dimensions = static_cast<Index>(parameters.size());
    Eigen::VectorXd mean = Eigen::VectorXd::Constant(dimensions, 0.5);
    if (best.empty())
        return {std::move(mean), firstDeviation, cells};
    double variance = 0;
    for (Index i = 0; i < dimensions; ++i) {
        double sum = 0;
        double squares = 0;
        double count = 0;
        for (const std::size_t place : best) {
            const double unit = unitOf(history, place, parameters[static_cast<std::size_t>(i)]);
            if (std::isnan(unit))
                continue;
            sum += unit;
            squares += unit * unit;
            ++count;
        }
        if (count > 0)
            mean[i] = sum / count;
        variance += count > 0 ? std::max(0.0, squares / count - mean[i] * mean[i]) : firstDeviation * firstDeviation;
    }
    const double deviation = std::sqrt(variance / static_cast<double>(dimensions) + 0.01);
    return {std::move(mean), std::min(deviation, firstDeviation), cells};
}

/// Updates `evolution` with all complete generations. Returns the number of finished trials.
std::size_t evolve(Evolution &evolution, const SearchHistory &history, const std::vector<std::size_t> &parameters)
{
    std::vector<std::size_t> finished;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Outcome outcome = history.trials()[place].outcome;
        if (isOwn(history.trials()[place]) && history.coordinates(place) != nullptr && outcome != Outcome::Pending
            && outcome != Outcome::Unknown)
            finished.push_back(place);
    }
    const std::size_t size = evolution.populationSize();
    for (std::size_t first = 0; first + size <= finished.size(); first += size) {
        const auto begin = finished.begin() + static_cast<std::ptrdiff_t>(first);
        std::vector<std::size_t> generation(begin, begin + static_cast<std::ptrdiff_t>(size));
        std::ranges::stable_sort(generation, {}, [&](std::size_t place) { return rankOf(history.trials()[place]); });
        Eigen::MatrixXd points(static_cast<Index>(size), static_cast<Index>(parameters.size()));
        for (std::size_t row = 0; row < size; ++row) {
            for (std::size_t column = 0; column < parameters.size(); ++column) {
                points(static_cast<Index>(row), static_cast<Index>(column)) =
                    unitOf(history, generation[row], parameters[column]);
            }
        }
        evolution.update(points);
    }
    return finished.size();
}

Eigen::VectorXd drawInside(const Evolution &evolution, const std::vector<std::uint64_t> &cells,
                           sweep::SplitMix64 &random)
{
    Eigen::VectorXd normals(static_cast<Index>(cells.size()));
    Eigen::VectorXd point;
    for (int draw = 0; draw < mostDrawsOutside; ++draw) {
        for (double &normal : normals)
            normal = truncatedNormalQuantile(random.nextUnit(), -8, 8);
        point = evolution.point(normals);
        bool isInside = true;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const double coordinate = point[static_cast<Index>(i)];
            isInside = isInside && (cells[i] != 0 || (coordinate >= 0 && coordinate <= 1));
        }
        if (isInside)
            break;
    }
    return evolution.rounded(point).cwiseMax(0).cwiseMin(1);
}

}  // namespace

bool isForCmaes(const SearchHistory &history)
{
    const std::vector<std::size_t> parameters = modelledParameters(history);
    const auto isPlain = [&](std::size_t i) {
        return !history.axes()[i].isCategorical() && history.spec().space[i].when.empty();
    };
    const auto hasOneValue = [](const Observation &trial) { return trial.values.size() <= 1; };
    return !parameters.empty() && std::ranges::all_of(parameters, isPlain)
           && std::ranges::all_of(history.trials(), hasOneValue);
}

std::size_t cmaesPopulation(const SearchHistory &history)
{
    return static_cast<std::size_t>(Evolution::populationFor(static_cast<Index>(modelledParameters(history).size())));
}

std::optional<Suggestion> suggestByCmaes(const SearchHistory &history, int number, const PointBuilder &builder)
{
    if (!isForCmaes(history))
        return std::nullopt;
    const std::vector<std::size_t> parameters = modelledParameters(history);
    std::vector<std::uint64_t> cells;
    for (const std::size_t i : parameters) {
        const bool hasCells = history.axes()[i].isDiscrete() && history.axes()[i].hasEqualCells();
        const std::uint64_t values = hasCells ? history.space().values(i).size() : 0;
        cells.push_back(values == 1 ? 0 : values);
    }
    const std::vector<std::size_t> best = bestOfOthers(history);
    Evolution evolution = firstGeneration(history, best, parameters, cells);
    const std::size_t results = evolve(evolution, history, parameters);

    sweep::SplitMix64 random = randomStream(history.spec().seed, number, Purpose::CmaesDraws);
    for (int draw = 0; draw < mostDraws; ++draw) {
        const Eigen::VectorXd units = drawInside(evolution, cells, random);
        auto point = builder.build([&](std::size_t parameter) {
            const Axis &axis = history.axes()[parameter];
            const auto found = std::ranges::find(parameters, parameter);
            const double unit = found != parameters.end() ? units[found - parameters.begin()] : random.nextUnit();
            return axis.atUnit(unit);
        });
        if (!point || history.contains(point->parameters))
            continue;
        using facts::Field;
        facts::Fact why = facts::Fact(facts::Code::ChosenByEvolution)
                              .with(Field::Number, std::int64_t{evolution.generation()} + 1)
                              .with(Field::Count, static_cast<std::int64_t>(results));
        if (!best.empty())
            why = std::move(why).with(Field::Good, static_cast<std::int64_t>(best.size()));
        return Suggestion{std::move(point->parameters), Method::Cmaes, std::move(why)};
    }
    return std::nullopt;
}

}  // namespace sweepscope::search
