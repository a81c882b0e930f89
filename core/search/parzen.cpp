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

/// Smaller terms of a sum than e^-40 of the largest do not change it.
constexpr double negligible = -40;

double logSumOfExponentials(const Eigen::ArrayXd &terms)
{
    const double largest = terms.maxCoeff();
    if (!std::isfinite(largest))
        return largest;
    double sum = 0;
    for (const double term : terms) {
        if (term - largest > negligible)
            sum += std::exp(term - largest);
    }
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

ParzenEstimator::ParzenEstimator(const std::vector<Axis> &axes, const std::vector<const Coordinates *> &observations,
                                 const std::vector<double> &weights,
                                 const std::vector<std::vector<std::size_t>> &ascending)
    : m_axes(&axes), m_parameters(axes.size())
{
    const auto kernels = static_cast<Eigen::Index>(observations.size()) + 1;
    const double total = std::accumulate(weights.begin(), weights.end(), 1.0);
    m_logWeights.resize(kernels);
    m_cumulated.reserve(observations.size() + 1);
    double sum = 0;
    for (std::size_t kernel = 0; kernel <= observations.size(); ++kernel) {
        const double weight = (kernel < observations.size() ? weights[kernel] : 1.0) / total;
        m_logWeights[static_cast<Eigen::Index>(kernel)] = weight;
        m_cumulated.push_back(sum += weight);
    }
    m_logWeights = m_logWeights.log();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        Parameter &parameter = m_parameters[i];
        parameter.means.resize(kernels);
        for (std::size_t kernel = 0; kernel < observations.size(); ++kernel)
            parameter.means[static_cast<Eigen::Index>(kernel)] = (*observations[kernel])[i];
        parameter.means[kernels - 1] = inactive;
        if (axes[i].isCategorical())
            addCategory(axes[i], parameter);
        else
            addLine(axes[i], parameter, ascending[i]);
    }
}

void ParzenEstimator::addCategory(const Axis &axis, Parameter &parameter) const
{
    const auto observed = static_cast<double>((parameter.means == parameter.means).count());  // not NaN
    const auto categories = static_cast<double>(axis.categoryCount());
    const double spread = 1 / (observed + 1);
    parameter.own = std::log((1 + spread) / (1 + categories * spread));
    parameter.other = std::log(spread / (1 + categories * spread));
}

void ParzenEstimator::addLine(const Axis &axis, Parameter &parameter, const std::vector<std::size_t> &ascending) const
{
    const double low = axis.low();
    const double high = axis.high();
    const double length = high - low;
    const double narrowest = length / static_cast<double>(std::min(mostDivisions, ascending.size() + 2));
    parameter.widths.setConstant(parameter.means.size(),
                                 length);  // of the prior, and of kernels that lack the parameter
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        const auto meanAt = [&](std::size_t place) {
            return parameter.means[static_cast<Eigen::Index>(ascending[place])];
        };
        const double here = meanAt(i);
        const bool isFirst = i == 0;
        const bool isLast = i + 1 == ascending.size();
        const double below = here - (isFirst ? low : meanAt(i - 1));
        const double above = (isLast ? high : meanAt(i + 1)) - here;
        double width = std::max(below, above);
        if (ascending.size() > 1 && isFirst)
            width = above;
        else if (ascending.size() > 1 && isLast)
            width = below;
        parameter.widths[static_cast<Eigen::Index>(ascending[i])] = std::clamp(width, narrowest, length);
    }
    parameter.means = (parameter.means == parameter.means).select(parameter.means, 0.5 * (low + high));
    parameter.inverseWidths = parameter.widths.inverse();
    parameter.logNormalisers.resize(parameter.means.size());
    for (Eigen::Index kernel = 0; kernel < parameter.means.size(); ++kernel) {
        const double inverse = parameter.inverseWidths[kernel];
        parameter.logNormalisers[kernel] =
            logNormalMass((low - parameter.means[kernel]) * inverse, (high - parameter.means[kernel]) * inverse);
    }
    if (!axis.isDiscrete())
        parameter.logNormalisers += parameter.widths.log() + halfLogTwoPi;
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
    const auto index = static_cast<Eigen::Index>(kernel);
    const double mean = kernels.means[index];
    if (!axis.isCategorical()) {
        const double width = kernels.widths[index];
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

void ParzenEstimator::addFactor(std::size_t parameter, double coordinate, Eigen::ArrayXd &sums) const
{
    const Axis &axis = (*m_axes)[parameter];
    const Parameter &kernels = m_parameters[parameter];
    if (axis.isCategorical()) {
        const double uniform = -std::log(static_cast<double>(axis.categoryCount()));
        for (Eigen::Index kernel = 0; kernel < sums.size(); ++kernel) {
            const double mean = kernels.means[kernel];
            sums[kernel] += std::isnan(mean) ? uniform : mean == coordinate ? kernels.own : kernels.other;
        }
        return;
    }
    if (axis.isDiscrete()) {
        const Axis::Cell cell = axis.cell(coordinate);
        for (Eigen::Index kernel = 0; kernel < sums.size(); ++kernel) {
            const double mean = kernels.means[kernel];
            const double inverse = kernels.inverseWidths[kernel];
            sums[kernel] += logNormalMass((cell.low - mean) * inverse, (cell.high - mean) * inverse);
        }
        sums -= kernels.logNormalisers;
        return;
    }
    sums -= 0.5 * ((coordinate - kernels.means) * kernels.inverseWidths).square() + kernels.logNormalisers;
}

Eigen::ArrayXd ParzenEstimator::contributions(const Coordinates &point) const
{
    Eigen::ArrayXd sums = m_logWeights;
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
