#include "search/tpe.h"

#include "search/parzen.h"
#include "search/randomstream.h"
#include "search/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sweepscope::search {

namespace {

constexpr std::size_t candidateCount = 24;
/// Draws for one candidate: a constraint may forbid most of them.
constexpr int mostDraws = 200;
/// Trials named as the reason of a choice.
constexpr std::size_t mostNamed = 3;

/// A parameter named `seed` repeats a point; it says nothing about how good a point is.
bool isModelled(const sweep::Dimension &dimension)
{
    return dimension.name != "seed";
}

/// Trials and their coordinates, those that no longer fit the space left out.
struct Model {
    std::vector<Observation> trials;
    std::vector<Coordinates> coordinates;
};

Model fittingTrials(const Request &request, const PointBuilder &builder)
{
    Model model;
    for (const Observation &trial : request.history) {
        std::optional<Coordinates> coordinates = builder.coordinatesOf(trial.parameters);
        if (!coordinates)
            continue;
        for (std::size_t i = 0; i < coordinates->size(); ++i) {
            if (!isModelled(request.spec.space[i]))
                (*coordinates)[i] = inactive;
        }
        model.trials.push_back(trial);
        model.coordinates.push_back(std::move(*coordinates));
    }
    return model;
}

std::vector<Coordinates> chosen(const std::vector<Coordinates> &all, const std::vector<std::size_t> &places)
{
    std::vector<Coordinates> some;
    some.reserve(places.size());
    for (const std::size_t place : places)
        some.push_back(all[place]);
    return some;
}

/// Of the good trials, those whose kernels contribute most to the density at a point.
std::vector<int> resembling(const ParzenEstimator &good, const Model &model, const Split &split,
                            const Coordinates &point)
{
    const std::vector<double> contributions = good.contributions(point);
    std::vector<std::size_t> order(split.good.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t kernel) { return contributions[kernel]; });
    std::vector<int> numbers;
    for (std::size_t i = 0; i < std::min(mostNamed, order.size()); ++i)
        numbers.push_back(model.trials[split.good[order[i]]].number);
    return numbers;
}

}  // namespace

std::optional<Suggestion> suggestByTpe(const Request &request, const PointBuilder &builder, const TriedPoints &tried)
{
    const Model model = fittingTrials(request, builder);
    const auto finished = static_cast<std::size_t>(std::ranges::count_if(
        model.trials, [](const Observation &trial) { return trial.outcome != Outcome::Pending; }));
    const std::size_t objectives =
        model.trials.empty() ? 1 : std::max<std::size_t>(1, model.trials.front().values.size());
    const Split split = splitHistory(model.trials, goodCount(finished, objectives));
    const bool areSeveral = objectives > 1;
    const ParzenEstimator good(builder.axes(), chosen(model.coordinates, split.good),
                               areSeveral ? std::vector<double>(split.good.size(), 1.0)
                                          : weightsByAge(split.good.size()));
    const ParzenEstimator bad(builder.axes(), chosen(model.coordinates, split.bad), weightsByAge(split.bad.size()));

    sweep::SplitMix64 random = randomStream(request.spec.seed, request.number, Purpose::TpeCandidates);
    std::vector<PointBuilder::Point> candidates;
    std::vector<Coordinates> coordinates;
    for (int draw = 0; draw < mostDraws && candidates.size() < candidateCount; ++draw) {
        const std::size_t kernel = good.drawKernel(random);
        auto candidate = builder.build([&](std::size_t parameter) { return good.draw(kernel, parameter, random); });
        if (!candidate || tried.contains(candidate->parameters))
            continue;
        coordinates.push_back(candidate->coordinates);
        for (std::size_t i = 0; i < coordinates.back().size(); ++i) {
            if (!isModelled(request.spec.space[i]))
                coordinates.back()[i] = inactive;
        }
        candidates.push_back(std::move(*candidate));
    }
    if (candidates.empty())
        return std::nullopt;

    const std::vector<double> goodDensities = good.logDensities(coordinates);
    const std::vector<double> badDensities = bad.logDensities(coordinates);
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i) {
        if (goodDensities[i] - badDensities[i] > goodDensities[best] - badDensities[best])
            best = i;
    }
    ByModel why{
        .good = split.good.size(), .bad = split.bad.size(), .logRatio = goodDensities[best] - badDensities[best]};
    why.resembles = resembling(good, model, split, coordinates[best]);
    return Suggestion{std::move(candidates[best].parameters), Method::Tpe, versionOf(Method::Tpe), std::move(why)};
}

}  // namespace sweepscope::search
