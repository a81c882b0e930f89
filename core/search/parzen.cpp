#include "search/parzen.h"

#include "search/truncatednormal.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sweepscope::search {

namespace {

constexpr std::size_t fullWeightCount = 25;
/// A kernel is at least the line's length / this wide.
constexpr std::size_t mostDivisions = 100;

double logSumOfExponentials(const std::vector<double> &terms)
{
    const double largest = std::ranges::max(terms);
    if (!std::isfinite(largest))
        return largest;
    double sum = 0;
    for (const double term : terms)
        sum += std::exp(term - largest);
    return largest + std::log(sum);
}

}  // namespace

std::vector<double> weightsByAge(std::size_t count)
{
    std::vector<double> weights(count, 1.0);
    if (count < fullWeightCount)
        return weights;
    const std::size_t older = count - fullWeightCount;
    const double first = 1.0 / static_cast<double>(count);
    for (std::size_t i = 0; i < older; ++i)
        weights[i] = older == 1 ? first : first + (1 - first) * static_cast<double>(i) / static_cast<double>(older - 1);
    return weights;
}

ParzenEstimator::ParzenEstimator(const std::vector<Axis> &axes, const std::vector<Coordinates> &observations,
                                 const std::vector<double> &weights)
    : m_axes(&axes), m_parameters(axes.size())
{
    const double total = std::accumulate(weights.begin(), weights.end(), 1.0);
    double sum = 0;
    for (std::size_t kernel = 0; kernel <= observations.size(); ++kernel) {
        const double weight = (kernel < observations.size() ? weights[kernel] : 1.0) / total;
        m_logWeights.push_back(std::log(weight));
        m_cumulated.push_back(sum += weight);
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Parameter &parameter = m_parameters[i];
        parameter.means.reserve(observations.size() + 1);
        for (const Coordinates &observation : observations)
            parameter.means.push_back(observation[i]);
        if (axes[i].isCategorical())
            addCategory(axes[i], parameter);
        else
            addLine(axes[i], parameter);
    }
}

std::vector<double> ParzenEstimator::weights() const
{
    std::vector<double> weights(m_logWeights.size());
    std::ranges::transform(m_logWeights, weights.begin(), [](double weight) { return std::exp(weight); });
    return weights;
}

void ParzenEstimator::addCategory(const Axis &axis, Parameter &parameter) const
{
    const auto observed = static_cast<double>(
        std::ranges::count_if(parameter.means, [](double category) { return !std::isnan(category); }));
    const auto categories = static_cast<double>(axis.categoryCount());
    const double spread = 1 / (observed + 1);
    parameter.own = std::log((1 + spread) / (1 + categories * spread));
    parameter.other = std::log(spread / (1 + categories * spread));
    parameter.means.push_back(inactive);
}

void ParzenEstimator::addLine(const Axis &axis, Parameter &parameter) const
{
    const double low = axis.low();
    const double high = axis.high();
    std::vector<std::size_t> order;
    for (std::size_t kernel = 0; kernel < parameter.means.size(); ++kernel) {
        if (!std::isnan(parameter.means[kernel]))
            order.push_back(kernel);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t kernel) { return parameter.means[kernel]; });

    const double narrowest = (high - low) / static_cast<double>(std::min(mostDivisions, order.size() + 2));
    parameter.widths.assign(parameter.means.size(), high - low);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double here = parameter.means[order[i]];
        const bool isFirst = i == 0;
        const bool isLast = i + 1 == order.size();
        const double below = here - (isFirst ? low : parameter.means[order[i - 1]]);
        const double above = (isLast ? high : parameter.means[order[i + 1]]) - here;
        double width = std::max(below, above);
        if (order.size() > 1 && isFirst)
            width = above;
        else if (order.size() > 1 && isLast)
            width = below;
        parameter.widths[order[i]] = std::clamp(width, narrowest, high - low);
    }
    // The prior, and the factor of kernels that lack the parameter.
    parameter.means.push_back(inactive);
    parameter.widths.push_back(high - low);
    for (double &mean : parameter.means) {
        if (std::isnan(mean))
            mean = 0.5 * (low + high);
    }
    parameter.logNormalisers.reserve(parameter.means.size());
    for (std::size_t kernel = 0; kernel < parameter.means.size(); ++kernel) {
        const double width = parameter.widths[kernel];
        const double mean = parameter.means[kernel];
        const double mass = logNormalMass((low - mean) / width, (high - mean) / width);
        parameter.logNormalisers.push_back(axis.isDiscrete() ? mass : mass + std::log(width));
    }
}

std::size_t ParzenEstimator::drawKernel(sweep::SplitMix64 &random) const
{
    const auto found = std::ranges::upper_bound(m_cumulated, random.nextUnit() * m_cumulated.back());
    return std::min(static_cast<std::size_t>(found - m_cumulated.begin()), m_cumulated.size() - 1);
}

double ParzenEstimator::draw(std::size_t kernel, std::size_t parameter, sweep::SplitMix64 &random) const
{
    const Axis &axis = (*m_axes)[parameter];
    const Parameter &kernels = m_parameters[parameter];
    const double unit = random.nextUnit();
    const double mean = kernels.means[kernel];
    if (!axis.isCategorical()) {
        const double width = kernels.widths[kernel];
        return std::clamp(
            mean + width * truncatedNormalQuantile(unit, (axis.low() - mean) / width, (axis.high() - mean) / width),
            axis.low(), axis.high());
    }
    const std::size_t categories = axis.categoryCount();
    if (std::isnan(mean))
        return std::min(std::floor(unit * static_cast<double>(categories)), static_cast<double>(categories - 1));
    double left = unit;
    for (std::size_t category = 0; category + 1 < categories; ++category) {
        left -= std::exp(static_cast<double>(category) == mean ? kernels.own : kernels.other);
        if (left < 0)
            return static_cast<double>(category);
    }
    return static_cast<double>(categories - 1);
}

void ParzenEstimator::addFactor(std::size_t parameter, double coordinate, std::vector<double> &sums) const
{
    const Axis &axis = (*m_axes)[parameter];
    const Parameter &kernels = m_parameters[parameter];
    if (axis.isCategorical()) {
        const double uniform = -std::log(static_cast<double>(axis.categoryCount()));
        for (std::size_t kernel = 0; kernel < sums.size(); ++kernel) {
            const double mean = kernels.means[kernel];
            sums[kernel] += std::isnan(mean) ? uniform : mean == coordinate ? kernels.own : kernels.other;
        }
        return;
    }
    if (axis.isDiscrete()) {
        const Axis::Cell cell = axis.cell(coordinate);
        for (std::size_t kernel = 0; kernel < sums.size(); ++kernel) {
            const double mean = kernels.means[kernel];
            const double width = kernels.widths[kernel];
            sums[kernel] +=
                logNormalMass((cell.low - mean) / width, (cell.high - mean) / width) - kernels.logNormalisers[kernel];
        }
        return;
    }
    for (std::size_t kernel = 0; kernel < sums.size(); ++kernel)
        sums[kernel] += logNormalDensity((coordinate - kernels.means[kernel]) / kernels.widths[kernel])
                        - kernels.logNormalisers[kernel];
}

std::vector<double> ParzenEstimator::contributions(const Coordinates &point) const
{
    std::vector<double> sums = m_logWeights;
    for (std::size_t parameter = 0; parameter < point.size(); ++parameter) {
        if (!std::isnan(point[parameter]))
            addFactor(parameter, point[parameter], sums);
    }
    return sums;
}

std::vector<double> ParzenEstimator::logDensities(const std::vector<Coordinates> &points) const
{
    std::vector<double> densities;
    densities.reserve(points.size());
    for (const Coordinates &point : points)
        densities.push_back(logSumOfExponentials(contributions(point)));
    return densities;
}

}  // namespace sweepscope::search
