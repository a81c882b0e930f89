#include "search/gp.h"

#include "search/expectedimprovement.h"
#include "search/outputwarp.h"
#include "search/randomstream.h"
#include "search/sobol.h"
#include "search/truncatednormal.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace sweepscope::search {

namespace {

using Eigen::Index;

/// More trials than this are thinned out, because the cost grows with their cube; a fit needs dozens of factorizations.
constexpr std::size_t mostTrials = 500;
constexpr std::size_t mostFitted = 200;
constexpr std::size_t mostThinned = 5000;
constexpr std::size_t candidateCount = 128;
constexpr int startCount = 4;
constexpr int mostRounds = 8;
/// A discrete parameter with more values is optimised like a continuous one, and rounded.
constexpr std::uint64_t mostTriedValues = 16;
constexpr std::size_t mostNamed = 3;
/// A point closer than this to one that is known, or to one that is being tried, tells hardly more. Of each line's length.
constexpr double leastDistance = 1e-4;
constexpr double leastPendingDistance = 1e-2;

/// The finished trials of which a model learns, by number.
struct Results {
    std::vector<std::size_t> places;
    std::vector<double> values;  ///< finite
};

std::optional<Results> resultsOf(const SearchHistory &history)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Results results;
    double best = infinity;  // of the finite values
    double worst = -infinity;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        const Observation &trial = history.trials()[place];
        if (trial.values.size() > 1)
            return std::nullopt;
        if (history.coordinates(place) == nullptr || trial.outcome == Outcome::Pending
            || trial.outcome == Outcome::Unknown)
            continue;
        const bool counts = trial.outcome == Outcome::Complete || trial.outcome == Outcome::Pruned;
        const double value = counts && !trial.values.empty() ? trial.values.front() : infinity;
        results.places.push_back(place);
        results.values.push_back(std::isnan(value) ? infinity : value);
        if (std::isfinite(value)) {
            best = std::min(best, value);
            worst = std::max(worst, value);
        }
    }
    if (worst < best)
        return std::nullopt;
    for (double &value : results.values)
        value = std::clamp(value, best, worst);
    return results;
}

/// The first `count` results.
Results firstOf(const Results &results, std::size_t count)
{
    return {{results.places.begin(), results.places.begin() + static_cast<std::ptrdiff_t>(count)},
            {results.values.begin(), results.values.begin() + static_cast<std::ptrdiff_t>(count)}};
}

GpInputs inputsOf(const SearchHistory &history, const std::vector<std::size_t> &places)
{
    std::vector<const Coordinates *> points;
    for (const std::size_t place : places)
        points.push_back(history.coordinates(place));
    return gpInputs(history.axes(), points);
}

/// Keeps `most`: the best, the newest, and of the others those that are farthest from what is kept.
Results thinned(const SearchHistory &history, const Results &all, std::size_t most)
{
    if (all.places.size() <= most)
        return all;
    const std::size_t share = most / 5;
    std::set<std::size_t> kept;  // indexes in `all`
    std::vector<std::size_t> order(all.places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return all.values[i]; });
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
    Results some;
    for (std::size_t i = 0; i < all.places.size(); ++i) {
        if (places.contains(all.places[i])) {
            some.places.push_back(all.places[i]);
            some.values.push_back(all.values[i]);
        }
    }
    return some;
}

Eigen::VectorXd warped(const Results &results, const OutputWarp &warp)
{
    Eigen::VectorXd values(static_cast<Index>(results.values.size()));
    for (std::size_t i = 0; i < results.values.size(); ++i)
        values[static_cast<Index>(i)] = warp.apply(results.values[i]);
    return values;
}

std::vector<bool> categoriesOf(const std::vector<Axis> &axes)
{
    std::vector<bool> isCategory;
    for (const Axis &axis : axes)
        isCategory.push_back(axis.isCategorical());
    return isCategory;
}

GpParameters parametersFor(const SearchHistory &history, const Results &results)
{
    std::vector<int> numbers;
    for (const std::size_t place : results.places)
        numbers.push_back(history.trials()[place].number);
    std::shared_ptr<GpMemory> &memory = history.gpMemory();
    if (memory && memory->numbers == numbers && memory->values == results.values)
        return memory->parameters;
    const Results some = thinned(history, results, mostFitted);
    const OutputWarp warp(some.values);
    GpParameters parameters = fitGp(inputsOf(history, some.places), categoriesOf(history.axes()), warped(some, warp));
    memory = std::make_shared<GpMemory>(GpMemory{std::move(numbers), results.values, parameters});
    return parameters;
}

struct Candidate {
    PointBuilder::Point point;
    Eigen::RowVectorXd input;
    double score = -std::numeric_limits<double>::infinity();  ///< log of the expected improvement
};

/// Looks for the point of the largest expected improvement.
class Climber {
public:
    Climber(const SearchHistory &history, const PointBuilder &builder, const GpPosterior &posterior, double best)
        : m_history(history), m_builder(builder), m_posterior(posterior), m_best(best)
    {}

    std::optional<Candidate> candidateAt(const std::function<double(std::size_t)> &coordinateOf) const
    {
        auto point = m_builder.build(coordinateOf);
        return point ? std::optional(fromPoint(*std::move(point))) : std::nullopt;
    }

    Candidate fromPoint(PointBuilder::Point point) const
    {
        Coordinates modelled = point.coordinates;
        for (std::size_t i = 0; i < modelled.size(); ++i) {
            if (!SearchHistory::isModelled(m_history.spec().space[i]))
                modelled[i] = inactive;
        }
        Candidate candidate{std::move(point), gpInputs(m_history.axes(), {&modelled}).row(0)};
        return candidate;
    }

    void score(std::vector<Candidate> &candidates) const
    {
        if (candidates.empty())
            return;
        GpInputs inputs(static_cast<Index>(candidates.size()), candidates.front().input.size());
        for (std::size_t i = 0; i < candidates.size(); ++i)
            inputs.row(static_cast<Index>(i)) = candidates[i].input;
        const GpPosterior::Prediction prediction = m_posterior.predict(inputs);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            candidates[i].score = logExpectedImprovement(prediction.means[static_cast<Index>(i)],
                                                         prediction.deviations[static_cast<Index>(i)], m_best)
                                      .value;
    }

    /// Climbs by turns along the continuous parameters and over the values of the others.
    Candidate climb(Candidate candidate) const
    {
        for (int round = 0; round < mostRounds; ++round) {
            const double before = candidate.score;
            follow(candidate);
            step(candidate);
            if (candidate.score < before + 1e-4)
                break;
        }
        return candidate;
    }

private:
    bool isRelaxed(std::size_t parameter) const
    {
        const Axis &axis = m_history.axes()[parameter];
        return !axis.isCategorical()
               && (axis.isContinuous() || m_history.space().values(parameter).size() > mostTriedValues);
    }

    std::optional<Candidate> moved(const Candidate &from, const std::vector<std::pair<std::size_t, double>> &to) const
    {
        auto candidate = candidateAt([&](std::size_t parameter) {
            for (const auto &[which, coordinate] : to) {
                if (which == parameter)
                    return coordinate;
            }
            const double known = from.point.coordinates[parameter];
            // It applies only now: the middle says least.
            const Axis &axis = m_history.axes()[parameter];
            return !std::isnan(known) ? known : axis.isCategorical() ? 0.0 : (axis.low() + axis.high()) / 2;
        });
        if (candidate) {
            std::vector<Candidate> one{std::move(*candidate)};
            score(one);
            candidate = std::move(one.front());
        }
        return candidate;
    }

    struct Ascent {
        const Climber *climber;
        Eigen::RowVectorXd input;
        std::vector<std::size_t> parameters;
    };

    static double negatedScore(unsigned count, const double *units, double *gradient, void *data)
    {
        auto &ascent = *static_cast<Ascent *>(data);
        for (unsigned i = 0; i < count; ++i)
            ascent.input[static_cast<Index>(ascent.parameters[i])] = units[i];
        const GpPosterior::Slope slope = ascent.climber->m_posterior.slope(ascent.input);
        const LogImprovement improvement = logExpectedImprovement(slope.mean, slope.deviation, ascent.climber->m_best);
        for (unsigned i = 0; gradient != nullptr && i < count; ++i) {
            const auto parameter = static_cast<Index>(ascent.parameters[i]);
            gradient[i] = -(improvement.byMean * slope.meanGradient[parameter]
                            + improvement.byDeviation * slope.deviationGradient[parameter]);
        }
        return -improvement.value;
    }

    void follow(Candidate &candidate) const
    {
        Ascent ascent{this, candidate.input, {}};
        for (std::size_t i = 0; i < m_history.axes().size(); ++i) {
            if (isRelaxed(i) && !std::isnan(candidate.input[static_cast<Index>(i)]))
                ascent.parameters.push_back(i);
        }
        if (ascent.parameters.empty())
            return;
        std::vector<double> units;
        for (const std::size_t parameter : ascent.parameters)
            units.push_back(std::clamp(candidate.input[static_cast<Index>(parameter)], 0.0, 1.0));
        nlopt_opt optimizer = nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(units.size()));
        nlopt_set_min_objective(optimizer, negatedScore, &ascent);
        nlopt_set_lower_bounds1(optimizer, 0);
        nlopt_set_upper_bounds1(optimizer, 1);
        nlopt_set_ftol_abs(optimizer, 1e-3);
        nlopt_set_maxeval(optimizer, 40);
        double least = 0;
        (void)nlopt_optimize(optimizer, units.data(), &least);
        nlopt_destroy(optimizer);
        std::vector<std::pair<std::size_t, double>> to;
        for (std::size_t i = 0; i < units.size(); ++i) {
            const Axis &axis = m_history.axes()[ascent.parameters[i]];
            if (std::isfinite(units[i]))
                to.emplace_back(ascent.parameters[i], axis.low() + units[i] * (axis.high() - axis.low()));
        }
        take(candidate, moved(candidate, to));
    }

    void step(Candidate &candidate) const
    {
        for (std::size_t i = 0; i < m_history.axes().size(); ++i) {
            if (m_history.axes()[i].isContinuous() || std::isnan(candidate.point.coordinates[i])
                || !SearchHistory::isModelled(m_history.spec().space[i]))
                continue;
            const sweep::DimensionValues &values = m_history.space().values(i);
            const Axis &axis = m_history.axes()[i];
            const std::uint64_t here = axis.valueIndex(candidate.point.coordinates[i]);
            for (std::uint64_t value = 0; value < values.size(); ++value) {
                if (isRelaxed(i))
                    value = std::max(value, here == 0 ? 0 : here - 1);
                if (isRelaxed(i) && value > here + 1)
                    break;
                if (value == here)
                    continue;
                if (const auto coordinate = axis.coordinate(values.at(value)))
                    take(candidate, moved(candidate, {{i, *coordinate}}));
            }
        }
    }

    static void take(Candidate &candidate, std::optional<Candidate> other)
    {
        if (other && other->score > candidate.score)
            candidate = std::move(*other);
    }

    const SearchHistory &m_history;
    const PointBuilder &m_builder;
    const GpPosterior &m_posterior;
    double m_best;
};

std::vector<Candidate> drawCandidates(const SearchHistory &history, const Climber &climber, const PointBuilder &builder,
                                      const Results &results, int number)
{
    std::vector<Candidate> candidates;
    sweep::SplitMix64 random = randomStream(history.spec().seed, number, Purpose::GpCandidates);
    const SobolSequence sequence(std::max<std::size_t>(1, history.axes().size()), random.next());
    for (std::uint64_t index = 0; index < 4 * candidateCount && candidates.size() < candidateCount; ++index) {
        if (auto point = builder.fromUnits(sequence.point(index)))
            candidates.push_back(climber.fromPoint(*std::move(point)));
    }
    // Around the best ones, where the improvement is often largest.
    std::vector<std::size_t> order(results.places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t count = std::min<std::size_t>(4, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                              [&](std::size_t i) { return std::pair(results.values[i], i); });
    for (std::size_t i = 0; i < count; ++i) {
        const Coordinates &around = *history.coordinates(results.places[order[i]]);
        for (const double spread : {0.0, 0.01, 0.03, 0.1, 0.3}) {
            auto candidate = climber.candidateAt([&](std::size_t parameter) {
                const Axis &axis = history.axes()[parameter];
                const double draw = random.nextUnit() - 0.5;
                if (axis.isCategorical())
                    return std::isnan(around[parameter]) || random.nextUnit() < spread
                               ? static_cast<double>(random.nextBelow(axis.categoryCount()))
                               : around[parameter];
                const double known = std::isnan(around[parameter]) ? (axis.low() + axis.high()) / 2 : around[parameter];
                return std::clamp(known + 2 * spread * draw * (axis.high() - axis.low()), axis.low(), axis.high());
            });
            if (candidate)
                candidates.push_back(std::move(*candidate));
        }
    }
    climber.score(candidates);
    return candidates;
}

/// The best candidate, then others with probabilities in proportion to their expected improvement.
std::vector<std::size_t> startsAmong(const std::vector<Candidate> &candidates, sweep::SplitMix64 random)
{
    const auto best = std::ranges::max_element(candidates, {}, &Candidate::score);
    std::vector<std::size_t> starts{static_cast<std::size_t>(best - candidates.begin())};
    std::vector<double> cumulated;
    double sum = 0;
    for (const Candidate &candidate : candidates)
        cumulated.push_back(sum += std::exp(candidate.score - best->score));
    for (int i = 1; i < startCount && sum > 0; ++i) {
        const auto found = std::ranges::upper_bound(cumulated, random.nextUnit() * sum);
        const auto index = std::min(static_cast<std::size_t>(found - cumulated.begin()), candidates.size() - 1);
        if (std::ranges::find(starts, index) == starts.end())
            starts.push_back(index);
    }
    return starts;
}

/// Whether some point is closer than `distance` along every line, and equal otherwise.
bool isNearOneOf(const Eigen::RowVectorXd &point, const GpInputs &others, const std::vector<bool> &isCategory,
                 double distance)
{
    for (Index row = 0; row < others.rows(); ++row) {
        bool isNear = true;
        for (Index j = 0; isNear && j < point.size(); ++j) {
            const bool isMissing = std::isnan(point[j]) || std::isnan(others(row, j));
            if (isMissing)
                isNear = std::isnan(point[j]) && std::isnan(others(row, j));
            else if (isCategory[static_cast<std::size_t>(j)])
                isNear = point[j] == others(row, j);
            else
                isNear = std::fabs(point[j] - others(row, j)) < distance;
        }
        if (isNear)
            return true;
    }
    return false;
}

/// Of the trials, those whose points are most like this one.
std::string resembling(const SearchHistory &history, const Results &results, const Eigen::VectorXd &correlations)
{
    std::vector<std::size_t> order(results.places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return correlations[static_cast<Index>(i)]; });
    std::string numbers;
    for (std::size_t i = 0; i < std::min(mostNamed, order.size()); ++i)
        numbers += (i == 0 ? "" : ",") + std::to_string(history.trials()[results.places[order[i]]].number);
    return numbers;
}

/// Expected improvement of a point below the model's least value, in units of the objective, which are warped: the mean
/// over quantiles of what is predicted.
double improvementOf(const GpPosterior::Prediction &prediction, double best, const OutputWarp &warp)
{
    constexpr int count = 200;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        const double z = truncatedNormalQuantile((i + 0.5) / count, -8, 8);
        const double value = prediction.means[0] + z * prediction.deviations[0];
        sum += value < best ? std::max(0.0, warp.invert(best) - warp.invert(value)) : 0.0;
    }
    return sum / count;
}

}  // namespace

std::size_t gpStart(const SearchHistory &history)
{
    std::size_t start = 2 * history.axes().size();
    if (history.spec().trials != 0)
        start = std::min<std::size_t>(start, history.spec().trials / 4);
    return std::max<std::size_t>(8, start);
}

std::size_t lastFit(std::size_t results)
{
    std::size_t fit = std::min<std::size_t>(results, 50);
    while (fit >= 50 && (fit * 11 + 9) / 10 <= results)
        fit = (fit * 11 + 9) / 10;
    return fit;
}

std::optional<Suggestion> suggestByGp(const SearchHistory &history, int number, const PointBuilder &builder)
{
    const std::optional<Results> all = resultsOf(history);
    if (!all)
        return std::nullopt;
    const GpParameters parameters = parametersFor(history, firstOf(*all, lastFit(all->places.size())));
    const Results results = thinned(history, *all, mostTrials);
    const OutputWarp warp(results.values);
    const Eigen::VectorXd values = warped(results, warp);
    std::vector<std::size_t> pending;
    for (std::size_t place = 0; place < history.trials().size(); ++place) {
        if (history.trials()[place].outcome == Outcome::Pending && history.coordinates(place) != nullptr)
            pending.push_back(place);
    }
    const std::vector<bool> isCategory = categoriesOf(history.axes());
    const GpInputs known = inputsOf(history, results.places);
    const GpInputs tried = inputsOf(history, pending);
    const GpPosterior posterior(known, isCategory, values, tried, parameters);
    if (!posterior.isValid())
        return std::nullopt;

    // With noise, the least value is partly luck: what the model makes of it is fairer.
    const double best = posterior.fittedMeans(values).minCoeff();
    const Climber climber(history, builder, posterior, best);
    std::vector<Candidate> candidates = drawCandidates(history, climber, builder, results, number);
    if (candidates.empty())
        return std::nullopt;
    for (const std::size_t start :
         startsAmong(candidates, randomStream(history.spec().seed, number, Purpose::GpStarts)))
        candidates.push_back(climber.climb(candidates[start]));
    std::ranges::stable_sort(candidates, std::greater(), &Candidate::score);
    const auto isNew = [&](const Candidate &candidate) {
        return std::isfinite(candidate.score) && !history.contains(candidate.point.parameters);
    };
    auto chosen = std::ranges::find_if(candidates, [&](const Candidate &candidate) {
        return isNew(candidate) && !isNearOneOf(candidate.input, known, isCategory, leastDistance)
               && !isNearOneOf(candidate.input, tried, isCategory, leastPendingDistance);
    });
    if (chosen == candidates.end())
        chosen = std::ranges::find_if(candidates, isNew);
    if (chosen == candidates.end())
        return std::nullopt;

    using facts::Field;
    const GpPosterior::Prediction prediction = posterior.predict(chosen->input);
    const double sign = history.spec().goal == sweep::Goal::Maximize ? -1 : 1;
    const double z = (values.minCoeff() - prediction.means[0]) / prediction.deviations[0];
    facts::Fact why = facts::Fact(facts::Code::ChosenByPrediction)
                          .with(Field::Count, static_cast<std::int64_t>(all->places.size()))
                          .with(Field::Value, sign * warp.invert(prediction.means[0]))
                          .with(Field::Bound, sign * *std::ranges::min_element(results.values))
                          .with(Field::Probability, 0.5 * std::erfc(-z / std::sqrt(2.0)))
                          .with(Field::Improvement, improvementOf(prediction, best, warp))
                          .with(Field::Trials, resembling(history, results, posterior.correlations(chosen->input)));
    return Suggestion{chosen->point.parameters, Method::Gp, std::move(why)};
}

}  // namespace sweepscope::search
