#include "search/gp.h"

#include "search/expectedimprovement.h"
#include "search/gpmodel.h"
#include "search/randomstream.h"
#include "search/sobol.h"
#include "search/truncatednormal.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace sweepscope::search {

namespace {

using Eigen::Index;

/// More results than this are thinned out, because the cost grows with their cube.
constexpr std::size_t mostModelled = 500;
constexpr std::size_t startCandidates = 128;
constexpr int startCount = 4;
constexpr int mostRounds = 8;
/// A discrete parameter with more values is optimised like a continuous one, and rounded.
constexpr std::uint64_t mostTriedValues = 16;
/// A point closer than this to one that is known, or to one that is being tried, tells hardly more. Of each line's length.
constexpr double leastDistance = 1e-4;
constexpr double leastPendingDistance = 1e-2;
/// If the best point is that close to another, and those far away are expected to gain e^mostLoss times less, one of its
/// neighbours is tried.
constexpr double mostLoss = 5;

struct Candidate {
    PointBuilder::Point point;
    Eigen::RowVectorXd input;
    /// Logarithm of the expected usable improvement; with a budget, for each second of device time.
    double score = -std::numeric_limits<double>::infinity();
};

/// Looks for the point with the largest product of the expected improvement and the probability that it is usable, divided by
/// its cost.
class Climber {
public:
    /// All arguments must outlive the climber.
    /// `best`: what is to be improved; nullopt: no result is usable, and the improvement does not count.
    Climber(const SearchHistory &history, const PointBuilder &builder, const GpModel &model, std::optional<double> best)
        : m_history(history), m_builder(builder), m_model(model), m_best(best)
    {}

    std::optional<Candidate> candidateAt(const std::function<double(std::size_t)> &coordinateOf) const
    {
        auto point = m_builder.build(coordinateOf);
        return point ? std::optional(fromPoint(*std::move(point))) : std::nullopt;
    }

    Candidate fromPoint(PointBuilder::Point point) const
    {
        Eigen::RowVectorXd input = gpInput(m_history, point.coordinates);
        return {std::move(point), std::move(input)};
    }

    void score(std::vector<Candidate> &candidates) const
    {
        if (candidates.empty())
            return;
        GpInputs inputs(static_cast<Index>(candidates.size()), candidates.front().input.size());
        for (std::size_t i = 0; i < candidates.size(); ++i)
            inputs.row(static_cast<Index>(i)) = candidates[i].input;
        Eigen::VectorXd scores = Eigen::VectorXd::Zero(inputs.rows());
        if (m_best) {
            const GpPosterior::Prediction prediction = m_model.posterior.predict(inputs);
            for (Index i = 0; i < scores.size(); ++i)
                scores[i] = logExpectedImprovement(prediction.means[i], prediction.deviations[i], *m_best).value;
        }
        if (m_model.feasibility)
            scores += m_model.feasibility->logProbabilities(inputs);
        if (m_model.costs)
            scores -= m_model.costs->logarithms(inputs);
        for (std::size_t i = 0; i < candidates.size(); ++i)
            candidates[i].score = scores[static_cast<Index>(i)];
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

    /// Not scored yet.
    std::optional<Candidate> moved(const Candidate &from, const std::vector<std::pair<std::size_t, double>> &to) const
    {
        return candidateAt([&](std::size_t parameter) {
            for (const auto &[which, coordinate] : to) {
                if (which == parameter)
                    return coordinate;
            }
            const double known = from.point.coordinates[parameter];
            // It applies only now: the middle says least.
            const Axis &axis = m_history.axes()[parameter];
            return !std::isnan(known) ? known : axis.isCategorical() ? 0.0 : (axis.low() + axis.high()) / 2;
        });
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
        const GpModel &model = ascent.climber->m_model;
        double score = 0;
        Eigen::VectorXd upward = Eigen::VectorXd::Zero(ascent.input.size());
        if (const std::optional<double> &best = ascent.climber->m_best) {
            const GpPosterior::Slope slope = model.posterior.slope(ascent.input);
            const LogImprovement improvement = logExpectedImprovement(slope.mean, slope.deviation, *best);
            score = improvement.value;
            upward = improvement.byMean * slope.meanGradient + improvement.byDeviation * slope.deviationGradient;
        }
        if (model.feasibility) {
            const Feasibility::Slope usable = model.feasibility->slope(ascent.input);
            score += usable.value;
            upward += usable.gradient;
        }
        if (model.costs) {
            const GpPosterior::Slope cost = model.costs->posterior.slope(ascent.input);
            score -= model.costs->deviation * cost.mean;
            upward -= model.costs->deviation * cost.meanGradient;
        }
        for (unsigned i = 0; gradient != nullptr && i < count; ++i)
            gradient[i] = -upward[static_cast<Index>(ascent.parameters[i])];
        return -score;
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
        if (auto end = moved(candidate, to))
            takeBest(candidate, {*std::move(end)});
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
            std::vector<Candidate> others;
            for (std::uint64_t value = 0; value < values.size(); ++value) {
                if (isRelaxed(i))
                    value = std::max(value, here == 0 ? 0 : here - 1);
                if (isRelaxed(i) && value > here + 1)
                    break;
                if (value == here)
                    continue;
                const auto coordinate = axis.coordinate(values.at(value));
                if (auto other = coordinate ? moved(candidate, {{i, *coordinate}}) : std::nullopt)
                    others.push_back(*std::move(other));
            }
            takeBest(candidate, std::move(others));
        }
    }

    void takeBest(Candidate &candidate, std::vector<Candidate> others) const
    {
        score(others);
        for (Candidate &other : others) {
            if (other.score > candidate.score)
                candidate = std::move(other);
        }
    }

    const SearchHistory &m_history;
    const PointBuilder &m_builder;
    const GpModel &m_model;
    std::optional<double> m_best;
};

std::vector<Candidate> drawCandidates(const SearchHistory &history, const Climber &climber, const PointBuilder &builder,
                                      const GpModel &model, int number)
{
    std::vector<Candidate> candidates;
    sweep::SplitMix64 random = randomStream(history.spec().seed, number, Purpose::GpCandidates);
    const SobolSequence sequence(std::max<std::size_t>(1, history.axes().size()), random.next());
    for (std::uint64_t index = 0; index < 4 * startCandidates && candidates.size() < startCandidates; ++index) {
        if (auto point = builder.fromUnits(sequence.point(index)))
            candidates.push_back(climber.fromPoint(*std::move(point)));
    }
    // Around the best ones, where the improvement is often largest.
    std::vector<std::size_t> order(model.results.places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t count = std::min<std::size_t>(4, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {},
                              [&](std::size_t i) { return std::pair(model.data.values[static_cast<Index>(i)], i); });
    for (std::size_t i = 0; i < count; ++i) {
        const Coordinates &around = *history.coordinates(model.results.places[order[i]]);
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

/// Points around the candidate, from hardly farther than those that tell nothing new to 100 times as far.
std::vector<Candidate> neighboursOf(const Candidate &candidate, const SearchHistory &history, const Climber &climber,
                                    sweep::SplitMix64 random)
{
    constexpr int count = 24;
    std::vector<Candidate> neighbours;
    for (int i = 0; i < count; ++i) {
        const double spread = 2 * leastDistance * std::pow(100, static_cast<double>(i) / (count - 1));
        auto neighbour = climber.candidateAt([&](std::size_t parameter) {
            const Axis &axis = history.axes()[parameter];
            const double known = candidate.point.coordinates[parameter];
            if (axis.isCategorical() || std::isnan(known))
                return known;
            const double step = (2 * random.nextUnit() - 1) * spread * (axis.high() - axis.low());
            return std::clamp(known + step, axis.low(), axis.high());
        });
        if (neighbour)
            neighbours.push_back(std::move(*neighbour));
    }
    climber.score(neighbours);
    return neighbours;
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

/// Of the trials of this sweep, those whose points are most like this one.
std::string resembling(const SearchHistory &history, const GpResults &results, const Eigen::VectorXd &correlations)
{
    return history.numbersOfLargest(results.places, {correlations.data(), results.places.size()});
}

/// The best usable value of this sweep; without one, of all results, on this sweep's scale.
double bestOf(const SearchHistory &history, const GpModel &model)
{
    const GpResults &results = model.results;
    double own = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < results.places.size(); ++i) {
        const Observation &trial = history.trials()[results.places[i]];
        if (isOwn(trial) && isUsable(trial))
            own = std::min(own, results.values[i]);
    }
    return std::isfinite(own) ? own : model.warp.invert(model.data.values.minCoeff());
}

/// The least mean at a usable trial of this sweep; nullopt if it has results, but none is usable. If it has none, the least
/// mean at any result. With noise, the least value is partly luck; the model's mean is fairer.
std::optional<double> leastMean(const SearchHistory &history, const GpResults &results, const Eigen::VectorXd &means)
{
    std::optional<double> least;
    bool hasOwn = false;
    for (std::size_t i = 0; i < results.places.size(); ++i) {
        const Observation &trial = history.trials()[results.places[i]];
        hasOwn = hasOwn || isOwn(trial);
        if (isOwn(trial) && isUsable(trial))
            least = std::min(least.value_or(means[static_cast<Index>(i)]), means[static_cast<Index>(i)]);
    }
    return least || hasOwn ? least : means.minCoeff();
}

double belowProbability(double z)
{
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

/// Expected improvement of a point below the model's least value, in units of the objective, which are warped: the mean
/// over quantiles of what is predicted below it, times the probability that it is below.
double improvementOf(const GpPosterior::Prediction &prediction, double best, const OutputWarp &warp)
{
    constexpr int count = 200;
    const double limit = (best - prediction.means[0]) / prediction.deviations[0];
    if (limit < -35)
        return 0;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
        const double z = truncatedNormalQuantile((i + 0.5) / count, std::min(limit, 0.0) - 8, std::min(limit, 8.0));
        sum += std::max(0.0, warp.invert(best) - warp.invert(prediction.means[0] + z * prediction.deviations[0]));
    }
    return belowProbability(limit) * sum / count;
}

}  // namespace

std::size_t gpStart(const SearchHistory &history)
{
    std::size_t start = 2 * history.axes().size();
    if (history.spec().trials != 0)
        start = std::min<std::size_t>(start, history.spec().trials / 4);
    return std::max<std::size_t>(8, start);
}

std::optional<Suggestion> suggestByGp(const SearchHistory &history, int number, const PointBuilder &builder)
{
    const std::optional<GpModel> model = fitGpModel(history, mostModelled);
    if (!model)
        return std::nullopt;
    const GpResults &results = model->results;
    const GpPosterior &posterior = model->posterior;
    const OutputWarp &warp = model->warp;

    const std::optional<double> best = leastMean(history, results, posterior.fittedMeans());
    if (!best && !model->feasibility)
        return std::nullopt;
    const Climber climber(history, builder, *model, best);
    std::vector<Candidate> candidates = drawCandidates(history, climber, builder, *model, number);
    if (candidates.empty())
        return std::nullopt;
    for (const std::size_t start :
         startsAmong(candidates, randomStream(history.spec().seed, number, Purpose::GpStarts)))
        candidates.push_back(climber.climb(candidates[start]));
    const auto isNew = [&](const Candidate &candidate) {
        return std::isfinite(candidate.score) && !history.contains(candidate.point.parameters);
    };
    const auto tellsSomething = [&](const Candidate &candidate) {
        return isNew(candidate) && !isNearOneOf(candidate.input, model->known, model->data.isCategory, leastDistance)
               && !isNearOneOf(candidate.input, model->pending, model->data.isCategory, leastPendingDistance);
    };
    std::ranges::stable_sort(candidates, std::greater(), &Candidate::score);
    auto chosen = std::ranges::find_if(candidates, tellsSomething);
    if (chosen == candidates.end() || chosen->score < candidates.front().score - mostLoss) {
        std::ranges::move(neighboursOf(candidates.front(), history, climber,
                                       randomStream(history.spec().seed, number, Purpose::GpNeighbours)),
                          std::back_inserter(candidates));
        std::ranges::stable_sort(candidates, std::greater(), &Candidate::score);
        chosen = std::ranges::find_if(candidates, tellsSomething);
    }
    if (chosen == candidates.end())
        chosen = std::ranges::find_if(candidates, isNew);
    if (chosen == candidates.end())
        return std::nullopt;

    using facts::Field;
    const GpPosterior::Prediction prediction = posterior.predict(chosen->input);
    const double sign = history.spec().goal == sweep::Goal::Maximize ? -1 : 1;
    facts::Fact why = facts::Fact(facts::Code::ChosenByPrediction)
                          .with(Field::Count, static_cast<std::int64_t>(model->resultCount))
                          .with(Field::Value, sign * warp.invert(prediction.means[0]))
                          .with(Field::Trials, resembling(history, results, posterior.correlations(chosen->input)));
    if (best) {
        const double bestResult = bestOf(history, *model);
        // What the trial will report has noise, as the best result has.
        const double deviation =
            std::sqrt(prediction.deviations[0] * prediction.deviations[0] + model->parameters.noise);
        const double z = (warp.apply(bestResult) - prediction.means[0]) / deviation;
        why = std::move(why)
                  .with(Field::Bound, sign * bestResult)
                  .with(Field::Probability, belowProbability(z))
                  .with(Field::Improvement, improvementOf(prediction, *best, warp));
    }
    if (model->feasibility)
        why = std::move(why).with(Field::Risk, 1 - std::exp(model->feasibility->logProbabilities(chosen->input)[0]));
    if (model->costs)
        why = std::move(why).with(Field::Seconds, std::exp(model->costs->logarithms(chosen->input)[0]));
    return Suggestion{chosen->point.parameters, Method::Gp, std::move(why)};
}

}  // namespace sweepscope::search
