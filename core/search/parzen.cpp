#include "search/parzen.h"

#include "search/truncatednormal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sweepscope::search {

namespace {

constexpr std::size_t fullWeightCount = 25;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// A kernel is at least the line's length / this wide.
constexpr std::size_t mostDivisions = 100;

/// Smaller terms of a sum than e^-40 of the largest do not change it.
constexpr double negligible = -40;
/// Of a kernel whose centre is on the line and whose width is at most the line's length, at least 0.34 of the mass is on
/// the line: its logarithm is above this.
constexpr double leastLogMass = -1.08;

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
                                 const std::vector<std::vector<std::size_t>> &ascending,
                                 const std::vector<std::ptrdiff_t> &kernelOf)
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
            addLine(axes[i], parameter, ascending[i], kernelOf);
    }
}

void ParzenEstimator::addCategory(const Axis &axis, Parameter &parameter) const
{
    const auto observed = static_cast<double>((parameter.means == parameter.means).count());  // not NaN
    const auto categories = static_cast<double>(axis.categoryCount());
    const double spread = 1 / (observed + 1);
    parameter.own = std::log((1 + spread) / (1 + categories * spread));
    parameter.other = std::log(spread / (1 + categories * spread));
    parameter.most = std::max(parameter.own, -std::log(categories));
}

void ParzenEstimator::addLine(const Axis &axis, Parameter &parameter, const std::vector<std::size_t> &ascending,
                              const std::vector<std::ptrdiff_t> &kernelOf) const
{
    const double low = axis.low();
    const double high = axis.high();
    const double length = high - low;
    std::vector<Eigen::Index> kernels;
    kernels.reserve(ascending.size());
    for (const std::size_t place : ascending) {
        if (kernelOf[place] >= 0)
            kernels.push_back(kernelOf[place]);
    }
    const double narrowest = length / static_cast<double>(std::min(mostDivisions, kernels.size() + 2));
    parameter.mostInverse = 1 / narrowest;
    parameter.logNarrowest = std::log(narrowest) + halfLogTwoPi;
    parameter.most = axis.isDiscrete() ? 0 : -parameter.logNarrowest - leastLogMass;
    // Of the prior, and of kernels that lack the parameter.
    parameter.inverseWidths.setConstant(parameter.means.size(), 1 / length);
    double here = low;
    double above = kernels.empty() ? high : parameter.means[kernels.front()];
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const double below = std::exchange(here, above);
        const bool isFirst = i == 0;
        const bool isLast = i + 1 == kernels.size();
        above = isLast ? high : parameter.means[kernels[i + 1]];
        double width = std::max(here - below, above - here);
        if (kernels.size() > 1 && isFirst)
            width = above - here;
        else if (kernels.size() > 1 && isLast)
            width = here - below;
        parameter.inverseWidths[kernels[i]] = width <= narrowest ? parameter.mostInverse : 1 / std::min(width, length);
    }
    parameter.means = (parameter.means == parameter.means).select(parameter.means, 0.5 * (low + high));
    parameter.logNormalisers.assign(static_cast<std::size_t>(parameter.means.size()), unknown);
}

/// Computed when it is needed: most kernels are too far from all points of a suggestion to matter.
double ParzenEstimator::logNormaliser(std::size_t parameter, std::size_t kernel) const
{
    const Parameter &kernels = m_parameters[parameter];
    double &known = kernels.logNormalisers[kernel];
    if (!std::isnan(known))
        return known;
    const Axis &axis = (*m_axes)[parameter];
    const auto index = static_cast<Eigen::Index>(kernel);
    const double mean = kernels.means[index];
    const double inverse = kernels.inverseWidths[index];
    known = logNormalMass((axis.low() - mean) * inverse, (axis.high() - mean) * inverse);
    if (!axis.isDiscrete())
        known += inverse == kernels.mostInverse ? kernels.logNarrowest : halfLogTwoPi - std::log(inverse);
    return known;
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
        const double width = 1 / kernels.inverseWidths[index];
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

/// Of a discrete line and a category: the logarithm of the probability of the value.
double ParzenEstimator::logFactor(std::size_t parameter, std::size_t kernel, double coordinate) const
{
    const Axis &axis = (*m_axes)[parameter];
    const Parameter &kernels = m_parameters[parameter];
    const auto index = static_cast<Eigen::Index>(kernel);
    const double mean = kernels.means[index];
    if (axis.isCategorical())
        return std::isnan(mean)     ? -std::log(static_cast<double>(axis.categoryCount()))
               : mean == coordinate ? kernels.own
                                    : kernels.other;
    const double inverse = kernels.inverseWidths[index];
    if (!axis.isDiscrete()) {
        const double distance = (coordinate - mean) * inverse;
        return -0.5 * distance * distance - logNormaliser(parameter, kernel);
    }
    const Axis::Cell cell = axis.cell(coordinate);
    return logNormalMass((cell.low - mean) * inverse, (cell.high - mean) * inverse) - logNormaliser(parameter, kernel);
}

Eigen::ArrayXd ParzenEstimator::contributions(const Coordinates &point) const
{
    Eigen::ArrayXd sums = m_logWeights;
    for (std::size_t parameter = 0; parameter < point.size(); ++parameter) {
        if (std::isnan(point[parameter]))
            continue;
        for (std::size_t kernel = 0; kernel < kernelCount(); ++kernel)
            sums[static_cast<Eigen::Index>(kernel)] += logFactor(parameter, kernel, point[parameter]);
    }
    return sums;
}

/// Leaves out a kernel once its remaining factors cannot raise it to e^-40 of what the prior contributes. Continuous lines
/// come first: they leave out the most at the least cost. `terms` is scratch space.
double ParzenEstimator::logDensity(const Coordinates &point, std::vector<Term> &terms) const
{
    std::vector<std::size_t> parameters;
    double most = 0;  // of the factors that are left
    double least = m_logWeights[m_logWeights.size() - 1] + negligible;
    for (std::size_t parameter = 0; parameter < point.size(); ++parameter) {
        if (std::isnan(point[parameter]))
            continue;
        parameters.push_back(parameter);
        most += m_parameters[parameter].most;
        least += logFactor(parameter, kernelCount() - 1, point[parameter]);
    }
    std::stable_partition(parameters.begin(), parameters.end(),
                          [&](std::size_t parameter) { return (*m_axes)[parameter].isContinuous(); });

    terms.resize(kernelCount());
    for (std::size_t kernel = 0; kernel < kernelCount(); ++kernel)
        terms[kernel] = {static_cast<std::uint32_t>(kernel), m_logWeights[static_cast<Eigen::Index>(kernel)]};
    for (const std::size_t parameter : parameters) {
        const Parameter &kernels = m_parameters[parameter];
        const double coordinate = point[parameter];
        std::size_t left = 0;
        if ((*m_axes)[parameter].isContinuous()) {
            const double *const means = kernels.means.data();
            const double *const inverseWidths = kernels.inverseWidths.data();
            for (const Term term : terms) {  // first without the normaliser, which is costly
                const double distance = (coordinate - means[term.kernel]) * inverseWidths[term.kernel];
                terms[left] = {term.kernel, term.sum - 0.5 * distance * distance};
                left += terms[left].sum + most >= least ? 1 : 0;
            }
            terms.resize(left);
            left = 0;
            most -= kernels.most;
            for (const Term term : terms) {
                terms[left] = {term.kernel, term.sum - logNormaliser(parameter, term.kernel)};
                left += terms[left].sum + most >= least ? 1 : 0;
            }
        } else {
            most -= kernels.most;
            for (const Term term : terms) {
                terms[left] = {term.kernel, term.sum + logFactor(parameter, term.kernel, coordinate)};
                left += terms[left].sum + most >= least ? 1 : 0;
            }
        }
        terms.resize(left);
    }
    return logSum(terms);
}

double ParzenEstimator::logSum(const std::vector<Term> &terms)
{
    const double largest = std::ranges::max(terms, {}, &Term::sum).sum;
    if (!std::isfinite(largest))
        return largest;
    double sum = 0;
    for (const Term &term : terms) {
        if (term.sum - largest > negligible)
            sum += std::exp(term.sum - largest);
    }
    return largest + std::log(sum);
}

std::vector<double> ParzenEstimator::logDensities(const std::vector<Coordinates> &points) const
{
    std::vector<double> densities;
    densities.reserve(points.size());
    std::vector<Term> terms;
    for (const Coordinates &point : points)
        densities.push_back(logDensity(point, terms));
    return densities;
}

}  // namespace sweepscope::search
