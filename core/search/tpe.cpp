#include "search/tpe.h"

#include "search/parzen.h"
#include "search/randomstream.h"
#include "search/split.h"
#include "search/warmstart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sweepscope::search {

namespace {

constexpr std::size_t candidateCount = 24;
constexpr int mostSeparateDraws = 20;

/// Returns a model of the trials at `places` of a history.
ParzenEstimator estimatorOf(const SearchHistory &history, const std::vector<std::size_t> &places,
                            const std::vector<double> &weights)
{
    std::vector<const Coordinates *> observations;
    observations.reserve(places.size());
    std::vector<std::ptrdiff_t> kernelOf(history.trials().size(), -1);
    for (const std::size_t place : places) {
        kernelOf[place] = static_cast<std::ptrdiff_t>(observations.size());
        observations.push_back(history.coordinates(place));
    }
    return {history.axes(), observations, weights, history.ascending(), kernelOf};
}

/// The trials of both models, and how much their kernels weigh.
struct WeightedSplit : Split {
    std::vector<double> goodWeights;
    std::vector<double> badWeights;
};

/// Of results of other sweeps the best of each count as good: their values may not compare with those of this one.
WeightedSplit splitSources(const SearchHistory &history, const std::vector<std::size_t> &foreign, double weight)
{
    WeightedSplit all;
    for (auto first = foreign.begin(); first != foreign.end();) {
        const int source = history.trials()[*first].source;
        const auto end = std::find_if(first, foreign.end(),
                                      [&](std::size_t place) { return history.trials()[place].source != source; });
        const std::vector<std::size_t> places(first, end);
        const Split one = splitHistory(history.trials(), places, goodCount(places.size(), 1));
        all.good.insert(all.good.end(), one.good.begin(), one.good.end());
        all.bad.insert(all.bad.end(), one.bad.begin(), one.bad.end());
        first = end;
    }
    all.goodWeights.assign(all.good.size(), weight);
    all.badWeights.assign(all.bad.size(), weight);
    return all;
}

void append(WeightedSplit &to, const Split &own, std::size_t objectives)
{
    const std::vector<double> good =
        objectives > 1 ? std::vector<double>(own.good.size(), 1.0) : weightsByAge(own.good.size());
    const std::vector<double> bad = weightsByAge(own.bad.size());
    to.good.insert(to.good.end(), own.good.begin(), own.good.end());
    to.goodWeights.insert(to.goodWeights.end(), good.begin(), good.end());
    to.bad.insert(to.bad.end(), own.bad.begin(), own.bad.end());
    to.badWeights.insert(to.badWeights.end(), bad.begin(), bad.end());
}

/// Logarithms of the ratios of the densities among good and bad trials.
std::vector<double> logRatios(const ParzenEstimator &good, const ParzenEstimator &bad,
                              const std::vector<Coordinates> &points)
{
    std::vector<double> ratios = good.logDensities(points);
    const std::vector<double> badDensities = bad.logDensities(points);
    for (std::size_t i = 0; i < ratios.size(); ++i)
        ratios[i] -= badDensities[i];
    return ratios;
}

std::size_t indexOfLargest(const std::vector<double> &values)
{
    return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

/// Of coordinates drawn from the good trials, the one with the largest ratio of densities, whatever the other parameters are.
double bestCoordinate(const ParzenEstimator &good, const ParzenEstimator &bad, std::size_t parameters,
                      std::size_t parameter, sweep::SplitMix64 &random)
{
    std::vector<Coordinates> candidates(candidateCount, Coordinates(parameters, inactive));
    for (Coordinates &candidate : candidates)
        candidate[parameter] = good.draw(good.drawKernel(random), parameter, random);
    return candidates[indexOfLargest(logRatios(good, bad, candidates))][parameter];
}

/// Of the good trials of this sweep, those whose kernels contribute most to the density at a point.
std::string resembling(const ParzenEstimator &good, const SearchHistory &history, const Split &split,
                       const Coordinates &point)
{
    const Eigen::ArrayXd contributions = good.contributions(point);
    return history.numbersOfLargest(split.good, {contributions.data(), split.good.size()});
}

}  // namespace

bool inBrackets(const sweep::SweepSpec &spec)
{
    return spec.prune && spec.prune->method == sweep::PruneMethod::Hyperband;
}

std::size_t tpeStart(const SearchHistory &history)
{
    return inBrackets(history.spec()) ? history.axes().size() + 2 : 10;
}

std::optional<Suggestion> suggestByTpe(const SearchHistory &history, int number, const PointBuilder &builder)
{
    std::vector<std::size_t> fitting;
    std::vector<std::size_t> foreign;  // results of other sweeps
    std::size_t finished = 0;
    std::size_t objectives = 1;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        if (history.coordinates(place) == nullptr)
            continue;
        if (!isOwn(history.trials()[place])) {
            foreign.push_back(place);
            continue;
        }
        fitting.push_back(place);
        finished += history.trials()[place].outcome != Outcome::Pending ? 1 : 0;
        objectives = std::max(objectives, history.trials()[place].values.size());
    }
    const std::int64_t rung =  // 0: none
        inBrackets(history.spec()) ? modelRung(history.trials(), fitting, tpeStart(history)).value_or(0) : 0;
    WeightedSplit split = splitSources(history, foreign, warmStartWeight(finished));
    append(split,
           rung != 0 ? splitAtRung(history.trials(), fitting, rung)
                     : splitHistory(history.trials(), fitting, goodCount(finished, objectives)),
           objectives);
    const ParzenEstimator good = estimatorOf(history, split.good, split.goodWeights);
    const ParzenEstimator bad = estimatorOf(history, split.bad, split.badWeights);

    sweep::SplitMix64 random = randomStream(history.spec().seed, number, Purpose::TpeCandidates);
    std::vector<PointBuilder::Point> candidates;
    std::vector<Coordinates> coordinates;
    // Good trials of several objectives lie far apart on their front, and points between them are drawn only parameter by
    // parameter.
    const std::size_t wanted = objectives > 1 ? 1 : candidateCount;
    for (int draw = 0; draw < mostDraws && candidates.size() < wanted; ++draw) {
        const bool isSeparate = objectives > 1 && draw < mostSeparateDraws;
        const std::size_t kernel = good.drawKernel(random);
        auto candidate = builder.build([&](std::size_t parameter) {
            return isSeparate ? bestCoordinate(good, bad, history.axes().size(), parameter, random)
                              : good.draw(kernel, parameter, random);
        });
        if (!candidate || history.contains(candidate->parameters))
            continue;
        coordinates.push_back(candidate->coordinates);
        for (std::size_t i = 0; i < coordinates.back().size(); ++i) {
            if (!SearchHistory::isModelled(history.spec().space[i]))
                coordinates.back()[i] = inactive;
        }
        candidates.push_back(std::move(*candidate));
    }
    if (candidates.empty())
        return std::nullopt;

    const std::vector<double> ratios = logRatios(good, bad, coordinates);
    const std::size_t best = indexOfLargest(ratios);
    using facts::Field;
    facts::Fact why = facts::Fact(facts::Code::ChosenByModel)
                          .with(Field::Good, static_cast<std::int64_t>(split.good.size()))
                          .with(Field::Bad, static_cast<std::int64_t>(split.bad.size()))
                          .with(Field::Value, ratios[best])
                          .with(Field::Trials, resembling(good, history, split, coordinates[best]));
    if (rung != 0)
        why = std::move(why).with(Field::Step, rung);
    return Suggestion{std::move(candidates[best].parameters), Method::Tpe, std::move(why)};
}

}  // namespace sweepscope::search
