#include "analysis/importance.h"

#include "sweep/splitmix.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

namespace sweepscope::analysis {

namespace {

constexpr double goodShares[] = {0.1, 0.25, 0.5};
constexpr std::size_t fewestGood = 5;   ///< or a density of them says nothing
constexpr int bins = 50;                ///< of a numeric parameter, as in the paper's own code
constexpr std::size_t mostLevels = 12;  ///< of a numeric parameter that is looked at value by value, as a grid is
constexpr std::size_t trialsOfLevel = 6;
constexpr int drawings = 100;         ///< for what chance gives
constexpr double falseAlarms = 0.02;  ///< of sweeps in which nothing matters: how many may show something, about
constexpr double priorWeight = 1;     ///< one trial, spread over the whole range
constexpr double narrowest = 0.3;     ///< bins: standard deviation of the kernel

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

/// Rows by value, the best first; of equals the one with the smaller number.
std::vector<int> rowsFromBest(const TrialValues &values)
{
    std::vector<int> rows;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (!values.isPruned[row])
            rows.push_back(static_cast<int>(row));
    }
    std::ranges::stable_sort(rows, [&](int one, int other) {
        return values.isBetter(values.values[static_cast<std::size_t>(one)],
                               values.values[static_cast<std::size_t>(other)]);
    });
    return rows;
}

/// The best such share, and all that are as good as the last of it.
std::size_t goodOnes(const TrialValues &values, const std::vector<int> &rows, double share)
{
    const auto value = [&](std::size_t place) { return values.values[static_cast<std::size_t>(rows[place])]; };
    auto wanted = static_cast<std::size_t>(std::ceil(share * static_cast<double>(rows.size())));
    wanted = std::min(rows.size(), std::max(wanted, fewestGood));
    std::size_t count = wanted;
    while (count < rows.size() && value(count) == value(wanted - 1))
        ++count;
    return count;
}

/// Standard deviations above the mean that the largest of `count` draws from a normal distribution hardly ever reaches:
/// each has its part of the false alarms (Bonferroni), by the bound exp(-x^2 / 2) of the tail.
double marginOf(std::size_t count)
{
    return std::sqrt(2 * std::log(static_cast<double>(std::max<std::size_t>(count, 1)) / falseAlarms));
}

Counts countIn(const Binned &parameter, const std::vector<int> &rows, std::size_t number)
{
    Counts counts(static_cast<std::size_t>(parameter.count), 0.0);
    for (std::size_t i = 0; i < number; ++i)
        ++counts[static_cast<std::size_t>(parameter.bins[static_cast<std::size_t>(rows[i])])];
    return counts;
}

/// Of the variance of "is one of the first `good` of these rows", the share that the parameter alone explains, less what
/// chance gives; 0 unless it is more than that with such a margin (standard deviations).
double explained(const Binned &parameter, std::vector<int> rows, std::size_t good, double margin)
{
    const Counts all = countIn(parameter, rows, rows.size());
    const auto total = static_cast<double>(rows.size());
    const auto goodTotal = static_cast<double>(good);
    const double found = divergence(parameter, all, total, countIn(parameter, rows, good), goodTotal);

    sweep::SplitMix64 random(rows.size());
    double mean = 0;
    std::vector<double> roots;  // nearly normal, where the divergence itself has a long tail
    for (int drawing = 0; drawing < drawings; ++drawing) {
        for (std::size_t i = 0; i < good; ++i)
            std::swap(rows[i], rows[i + random.nextBelow(rows.size() - i)]);
        const double byChance = divergence(parameter, all, total, countIn(parameter, rows, good), goodTotal);
        mean += byChance / drawings;
        roots.push_back(std::sqrt(byChance));
    }
    const double meanRoot = std::accumulate(roots.begin(), roots.end(), 0.0) / drawings;
    double variance = 0;
    for (const double root : roots)
        variance += (root - meanRoot) * (root - meanRoot) / (drawings - 1);
    if (std::sqrt(found) <= meanRoot + margin * std::sqrt(variance))
        return 0;
    return std::max(0.0, found - mean) * goodTotal / (total - goodTotal);
}

double importance(const Parameter &parameter, const TrialValues &values, const std::vector<int> &ranked)
{
    const Binned binnedValues = binned(parameter);
    std::vector<int> rows;
    for (const int row : ranked) {
        if (binnedValues.bins[static_cast<std::size_t>(row)] >= 0)
            rows.push_back(row);
    }
    if (rows.size() < 2 * fewestGood)
        return 0;
    const double margin = marginOf(values.parameters.size() * std::size(goodShares));
    double sum = 0;
    std::size_t before = 0;
    for (const double share : goodShares) {
        const std::size_t good = goodOnes(values, rows, share);
        if (good < rows.size() && good != before)
            sum += explained(binnedValues, rows, good, margin);
        before = good;
    }
    return sum * static_cast<double>(rows.size()) / static_cast<double>(ranked.size());
}

}  // namespace

Importance importanceOf(const TrialValues &values)
{
    Importance result;
    result.shares.assign(values.parameters.size(), 0.0);
    const std::vector<int> rows = rowsFromBest(values);
    result.completed = static_cast<int>(rows.size());
    if (result.completed < fewestTrials) {
        result.problem = Importance::Problem::TooFewTrials;
        return result;
    }
    if (goodOnes(values, rows, goodShares[0]) == rows.size()) {
        result.problem = Importance::Problem::AllAlike;
        return result;
    }
    for (std::size_t i = 0; i < values.parameters.size(); ++i)
        result.shares[i] = importance(values.parameters[i], values, rows);
    const double sum = std::accumulate(result.shares.begin(), result.shares.end(), 0.0);
    for (double &share : result.shares)
        share = sum > 0 ? share / sum : 0;
    return result;
}

}  // namespace sweepscope::analysis
