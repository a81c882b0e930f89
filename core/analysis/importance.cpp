#include "analysis/importance.h"

#include "sweep/splitmix.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace sweepscope::analysis {

namespace {

constexpr double goodShares[] = {0.1, 0.25, 0.5};
constexpr std::size_t fewestGood = 5;   ///< or a density of them says nothing; of fewer than `few` trials a quarter
constexpr int bins = 50;                ///< of a numeric parameter, as in the paper's own code
constexpr std::size_t mostLevels = 12;  ///< of a numeric parameter that is looked at value by value, as a grid is
constexpr std::size_t trialsOfLevel = 6;
constexpr int drawings = 100;         ///< for what chance gives, and for the intervals
constexpr double falseAlarms = 0.02;  ///< of sweeps in which nothing matters: how many may show something, about
constexpr std::size_t few = 20;    ///< trials; of fewer ones hardly any effect is certain, so the intervals alone warn
constexpr double tail = 0.1;       ///< of the drawings on either side of an interval
constexpr double priorWeight = 1;  ///< one trial, spread over the whole range
constexpr double narrowest = 0.3;  ///< bins: standard deviation of the kernel

using Counts = std::vector<double>;

/// A parameter's values in bins. Numbers are laid on the axis that plots show.
struct Binned {
    std::vector<int> bins;  ///< of each row; -1: the trial does not have it
    int count = 0;
    bool isSmooth = false;  ///< neighbours are alike
};

/// The values of a grid, or of a short range of whole numbers; empty: there are too many for the trials to say something
/// about each.
std::vector<double> levelsOf(const Parameter &parameter)
{
    std::set<double> levels;
    std::size_t trials = 0;
    for (const double value : parameter.values) {
        if (!std::isfinite(value))
            continue;
        ++trials;
        levels.insert(value);
        if (levels.size() > mostLevels)
            return {};
    }
    return trials < trialsOfLevel * levels.size() ? std::vector<double>()
                                                  : std::vector<double>(levels.begin(), levels.end());
}

Binned binned(const Parameter &parameter)
{
    Binned result;
    if (parameter.scale != Scale::Categories) {
        if (const std::vector<double> levels = levelsOf(parameter); !levels.empty()) {
            result.count = static_cast<int>(levels.size());
            for (const double value : parameter.values)
                result.bins.push_back(std::isfinite(value)
                                          ? static_cast<int>(std::ranges::lower_bound(levels, value) - levels.begin())
                                          : -1);
            return result;
        }
    }
    result.isSmooth = parameter.scale != Scale::Categories;
    const auto unit = [&](double value) { return parameter.scale == Scale::Log ? std::log(value) : value; };
    const double low = unit(parameter.low);
    const double width = unit(parameter.high) - low;
    result.count = result.isSmooth ? bins : static_cast<int>(parameter.categories.size());
    result.bins.reserve(parameter.values.size());
    for (const double value : parameter.values) {
        if (!std::isfinite(value) || result.count == 0) {
            result.bins.push_back(-1);
        } else if (!result.isSmooth) {
            result.bins.push_back(static_cast<int>(value));
        } else {
            const double place = width > 0 ? (unit(value) - low) / width : 0;
            result.bins.push_back(std::clamp(static_cast<int>(std::lround(place * (bins - 1))), 0, bins - 1));
        }
    }
    return result;
}

/// Scott's rule, in bins, robust against tails: D. W. Scott, Multivariate Density Estimation, 1992.
double bandwidth(const Counts &counts, double total)
{
    double mean = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin)
        mean += static_cast<double>(bin) * counts[bin] / total;
    double variance = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin)
        variance += counts[bin] * (static_cast<double>(bin) - mean) * (static_cast<double>(bin) - mean);
    const auto quantile = [&](double share) {
        double sum = 0;
        for (std::size_t bin = 0; bin < counts.size(); ++bin) {
            sum += counts[bin];
            if (sum >= share * total)
                return static_cast<double>(bin);
        }
        return static_cast<double>(counts.size() - 1);
    };
    const double spread = std::sqrt(variance / std::max(1.0, total - 1));
    const double quartiles = (quantile(0.75) - quantile(0.25)) / 1.34;
    return std::max(narrowest, 1.059 * std::min(spread, quartiles) * std::pow(total, -0.2));
}

/// Each count is spread over its neighbours by a Gaussian that ends at the edges of the range.
Counts spread(const Counts &counts, double sigma)
{
    const auto size = static_cast<int>(counts.size());
    std::vector<double> kernel(counts.size());
    for (int distance = 0; distance < size; ++distance)
        kernel[static_cast<std::size_t>(distance)] = std::exp(-0.5 * distance * distance / (sigma * sigma));
    Counts result(counts.size(), 0.0);
    for (int from = 0; from < size; ++from) {
        const double count = counts[static_cast<std::size_t>(from)];
        if (count == 0)
            continue;
        double all = 0;
        for (int to = 0; to < size; ++to)
            all += kernel[static_cast<std::size_t>(std::abs(to - from))];
        for (int to = 0; to < size; ++to)
            result[static_cast<std::size_t>(to)] += count * kernel[static_cast<std::size_t>(std::abs(to - from))] / all;
    }
    return result;
}

/// The divergence of the values in good trials from those in all trials.
double divergence(const Binned &parameter, const Counts &all, double allTotal, const Counts &good, double goodTotal)
{
    // The same kernel for both: a wider one for fewer trials would look like a difference.
    const double sigma = parameter.isSmooth ? bandwidth(good, goodTotal) : 0;
    const Counts ofAll = parameter.isSmooth ? spread(all, sigma) : all;
    const Counts ofGood = parameter.isSmooth ? spread(good, sigma) : good;
    const double prior = priorWeight / parameter.count;
    double sum = 0;
    for (std::size_t bin = 0; bin < all.size(); ++bin) {
        const double p = (ofAll[bin] + prior * allTotal / goodTotal) / (allTotal + priorWeight * allTotal / goodTotal);
        const double q = (ofGood[bin] + prior) / (goodTotal + priorWeight);
        sum += (q - p) * (q - p) / p;
    }
    return sum;
}

/// Trials from the best to the worst, with their weights.
struct Ranking {
    std::vector<int> rows;
    std::vector<double> values;   ///< of the rows; infinite for pruned ones, which come last
    std::vector<double> weights;  ///< of the rows
    std::size_t completed = 0;    ///< rows that are not pruned
};

/// Of equals, the one with the smaller number comes first.
Ranking rankingOf(const TrialValues &values)
{
    Ranking ranking;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (values.isCompleted(row))
            ranking.rows.push_back(static_cast<int>(row));
    }
    std::ranges::stable_sort(ranking.rows, [&](int one, int other) {
        return values.isBetter(values.values[static_cast<std::size_t>(one)],
                               values.values[static_cast<std::size_t>(other)]);
    });
    for (const int row : ranking.rows)
        ranking.values.push_back(values.values[static_cast<std::size_t>(row)]);
    ranking.completed = ranking.rows.size();
    for (std::size_t row = 0; row < values.size() && values.arePrunedBehind; ++row) {
        if (values.isPruned(row)) {
            ranking.rows.push_back(static_cast<int>(row));
            ranking.values.push_back(std::numeric_limits<double>::infinity());
        }
    }
    ranking.weights.assign(ranking.rows.size(), 1);
    return ranking;
}

/// Without the trials that lack the parameter.
Ranking withParameter(const Ranking &all, const Binned &parameter)
{
    Ranking ranking;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        if (parameter.bins[static_cast<std::size_t>(all.rows[i])] < 0)
            continue;
        ranking.rows.push_back(all.rows[i]);
        ranking.values.push_back(all.values[i]);
        ranking.weights.push_back(all.weights[i]);
        ranking.completed += i < all.completed ? 1 : 0;
    }
    return ranking;
}

std::size_t fewestGoodOf(std::size_t trials)
{
    return trials < few ? std::max<std::size_t>(2, trials / 4) : fewestGood;
}

/// The best such share of the weight, and all that are as good as the last of it.
std::size_t goodOnes(const Ranking &ranking, double share)
{
    const std::size_t size = ranking.rows.size();
    const double wanted = share * std::accumulate(ranking.weights.begin(), ranking.weights.end(), 0.0);
    std::size_t count = 0;
    for (double weight = 0; count < size && (weight < wanted - 1e-9 || count < fewestGoodOf(size)); ++count)
        weight += ranking.weights[count];
    while (count > 0 && count < size && ranking.values[count] == ranking.values[count - 1])
        ++count;
    return count;
}

/// How many trials count as good, once for each share that separates trials. All of them have completed, because pruned ones
/// have no order; where fewer have, these are the good ones.
std::vector<std::size_t> goodCounts(const Ranking &ranking)
{
    std::vector<std::size_t> counts;
    for (const double share : goodShares) {
        const std::size_t good = goodOnes(ranking, share);
        if (good < ranking.rows.size() && good <= ranking.completed && (counts.empty() || good != counts.back()))
            counts.push_back(good);
    }
    if (counts.empty() && ranking.completed >= 2 && ranking.completed < ranking.rows.size())
        counts.push_back(ranking.completed);
    return counts;
}

/// Of the variance of "is a good one", the share that the parameter alone explains, summed over the counts of good ones. Good are the
/// first of `order`, which are indexes of the ranking.
double explained(const Binned &parameter, const Ranking &ranking, const std::vector<std::size_t> &order,
                 const std::vector<std::size_t> &goods, const Counts &all, double total)
{
    Counts good(all.size(), 0.0);
    double goodTotal = 0;
    double sum = 0;
    std::size_t at = 0;
    for (const std::size_t count : goods) {
        for (; at < count; ++at) {
            const std::size_t index = order[at];
            good[static_cast<std::size_t>(parameter.bins[static_cast<std::size_t>(ranking.rows[index])])] +=
                ranking.weights[index];
            goodTotal += ranking.weights[index];
        }
        if (goodTotal > 0 && goodTotal < total)
            sum += divergence(parameter, all, total, good, goodTotal) * goodTotal / (total - goodTotal);
    }
    return sum;
}

Counts countAll(const Binned &parameter, const Ranking &ranking)
{
    Counts counts(static_cast<std::size_t>(parameter.count), 0.0);
    for (std::size_t i = 0; i < ranking.rows.size(); ++i)
        counts[static_cast<std::size_t>(parameter.bins[static_cast<std::size_t>(ranking.rows[i])])] +=
            ranking.weights[i];
    return counts;
}

void shuffleFirst(std::vector<std::size_t> &order, std::size_t count, sweep::SplitMix64 &random)
{
    for (std::size_t i = 0; i < count; ++i)
        std::swap(order[i], order[i + random.nextBelow(order.size() - i)]);
}

/// Standard deviations above the mean that the largest of `count` draws from a normal distribution hardly ever reaches:
/// each has its part of the false alarms (Bonferroni), by the bound exp(-x^2 / 2) of the tail.
double marginOf(std::size_t count)
{
    return std::sqrt(2 * std::log(static_cast<double>(std::max<std::size_t>(count, 1)) / falseAlarms));
}

struct Effect {
    double found = 0;               ///< less what chance gives; 0 unless it is more than that with a margin
    std::vector<double> resampled;  ///< the same without the margin, of each drawing
};

Effect effectOf(const Parameter &parameter, std::size_t parameters, const Ranking &ranked,
                const std::vector<std::vector<double>> &drawnWeights)
{
    Effect effect;
    effect.resampled.assign(drawnWeights.size(), 0.0);
    const Binned binnedValues = binned(parameter);
    Ranking ranking = withParameter(ranked, binnedValues);
    const std::size_t size = ranking.rows.size();
    const std::vector<std::size_t> goods = goodCounts(ranking);
    if (size < 2 * fewestGoodOf(size) || goods.empty())
        return effect;
    std::vector<std::size_t> inOrder(size);
    std::iota(inOrder.begin(), inOrder.end(), std::size_t{0});
    std::vector<std::size_t> shuffled = inOrder;
    sweep::SplitMix64 random(size);
    const double having = static_cast<double>(size) / static_cast<double>(ranked.rows.size());

    const Counts all = countAll(binnedValues, ranking);
    const double found = explained(binnedValues, ranking, inOrder, goods, all, static_cast<double>(size));
    double mean = 0;
    std::vector<double> roots;  // nearly normal, where the divergence itself has a long tail
    for (int drawing = 0; drawing < drawings; ++drawing) {
        shuffleFirst(shuffled, goods.back(), random);
        const double byChance = explained(binnedValues, ranking, shuffled, goods, all, static_cast<double>(size));
        mean += byChance / drawings;
        roots.push_back(std::sqrt(byChance));
    }
    const double meanRoot = std::accumulate(roots.begin(), roots.end(), 0.0) / drawings;
    double variance = 0;
    for (const double root : roots)
        variance += (root - meanRoot) * (root - meanRoot) / (drawings - 1);
    const double least = meanRoot + marginOf(parameters) * std::sqrt(variance);
    if (ranked.rows.size() < few || std::sqrt(found) > least)
        effect.found = having * std::max(0.0, found - mean);

    // Weights make some trials count more, so chance gives more, too.
    double chance = 0;
    for (std::size_t drawing = 0; drawing < drawnWeights.size(); ++drawing) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < ranked.rows.size(); ++i) {
            if (binnedValues.bins[static_cast<std::size_t>(ranked.rows[i])] >= 0)
                ranking.weights[at++] = drawnWeights[drawing][i];
        }
        const Counts weighted = countAll(binnedValues, ranking);
        const double total = std::accumulate(ranking.weights.begin(), ranking.weights.end(), 0.0);
        const std::vector<std::size_t> counts = goodCounts(ranking);
        if (counts.empty())
            continue;
        shuffleFirst(shuffled, counts.back(), random);
        chance += explained(binnedValues, ranking, shuffled, counts, weighted, total)
                  / static_cast<double>(drawnWeights.size());
        effect.resampled[drawing] = explained(binnedValues, ranking, inOrder, counts, weighted, total);
    }
    for (double &value : effect.resampled)
        value = having * std::max(0.0, value - chance);
    return effect;
}

/// Weights of the Bayesian bootstrap: D. B. Rubin, "The Bayesian Bootstrap", The Annals of Statistics 9, 1981. Each trial keeps some
/// weight, so that a density from few trials loses none of them.
std::vector<std::vector<double>> drawWeights(std::size_t trials)
{
    sweep::SplitMix64 random(trials + 1);
    std::vector<std::vector<double>> weights(drawings, std::vector<double>(trials));
    for (std::vector<double> &drawn : weights) {
        for (double &weight : drawn)
            weight = -std::log(1 - random.nextUnit());
    }
    return weights;
}

void toShares(std::vector<double> &values)
{
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    for (double &value : values)
        value = sum > 0 ? value / sum : 0;
}

/// Sets the ends between which most of the drawn shares lie.
void setIntervals(Importance &importance, const std::vector<Effect> &effects)
{
    std::vector<std::vector<double>> drawn(effects.size());
    for (std::size_t drawing = 0; drawing < drawings; ++drawing) {
        std::vector<double> shares;
        for (const Effect &effect : effects)
            shares.push_back(effect.resampled[drawing]);
        toShares(shares);
        for (std::size_t i = 0; i < shares.size(); ++i)
            drawn[i].push_back(shares[i]);
    }
    const auto beyond = static_cast<std::size_t>(tail * drawings);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        std::ranges::sort(drawn[i]);
        importance.lows[i] = std::min(importance.shares[i], drawn[i][beyond]);
        importance.highs[i] = std::max(importance.shares[i], drawn[i][drawn[i].size() - 1 - beyond]);
    }
}

}  // namespace

bool Importance::isOrderCertain() const
{
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t i) { return shares[i]; });
    return order.size() < 2 || lows[order[0]] > highs[order[1]];
}

Importance importanceOf(const TrialValues &values)
{
    Importance result;
    const std::size_t count = values.parameters.size();
    result.shares.assign(count, 0.0);
    result.lows = result.highs = result.shares;
    const Ranking ranking = rankingOf(values);
    result.completed = static_cast<int>(ranking.completed);
    result.pruned = static_cast<int>(ranking.rows.size() - ranking.completed);
    if (result.completed < fewestTrials) {
        result.problem = Importance::Problem::TooFewTrials;
        return result;
    }
    if (goodCounts(ranking).empty()) {
        result.problem = Importance::Problem::AllAlike;
        return result;
    }
    const std::vector<std::vector<double>> weights = drawWeights(ranking.rows.size());
    std::vector<Effect> effects;
    for (std::size_t i = 0; i < count; ++i) {
        effects.push_back(effectOf(values.parameters[i], count, ranking, weights));
        result.shares[i] = effects.back().found;
    }
    toShares(result.shares);
    setIntervals(result, effects);
    return result;
}

}  // namespace sweepscope::analysis
