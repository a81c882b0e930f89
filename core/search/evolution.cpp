#include "search/evolution.h"

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sweepscope::search {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double tiny = 1e-8;

double normalBelow(double z)
{
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// z with P(Z > z) = probability.
double upperQuantile(double probability)
{
    return std::numbers::sqrt2 * boost::math::erfc_inv(2 * probability);
}

std::uint64_t cellOf(double coordinate, std::uint64_t cells)
{
    const double index = std::ceil(coordinate * static_cast<double>(cells)) - 1;  // a border belongs to the lower cell
    return static_cast<std::uint64_t>(std::clamp(index, 0.0, static_cast<double>(cells - 1)));
}

}  // namespace

Index Evolution::populationFor(Index parameters)
{
    return 4 + static_cast<Index>(std::floor(3 * std::log(static_cast<double>(parameters))));
}

Evolution::Evolution(VectorXd mean, double deviation, std::vector<std::uint64_t> cells)
    : m_cells(std::move(cells)), m_deviation(deviation), m_mean(std::move(mean))
{
    const Index n = m_mean.size();
    const auto d = static_cast<double>(n);
    const Index population = populationFor(n);
    m_parents = population / 2;
    m_weights.resize(population);
    for (Index i = 0; i < population; ++i)
        m_weights[i] = std::log((static_cast<double>(population) + 1) / 2) - std::log(static_cast<double>(i) + 1);
    const auto effective = [](const auto &weights) { return weights.sum() * weights.sum() / weights.squaredNorm(); };
    m_effectiveParents = effective(m_weights.head(m_parents));
    const double effectiveOthers = effective(m_weights.tail(population - m_parents));

    const double mu = m_effectiveParents;
    m_rankOneRate = 2 / ((d + 1.3) * (d + 1.3) + mu);
    m_rankMuRate = std::min(1 - m_rankOneRate - tiny, 2 * (mu - 2 + 1 / mu) / ((d + 2) * (d + 2) + mu));
    const double othersInAll = std::min({1 + m_rankOneRate / m_rankMuRate, 1 + 2 * effectiveOthers / (mu + 2),
                                         (1 - m_rankOneRate - m_rankMuRate) / (d * m_rankMuRate)});
    const double positive = m_weights.cwiseMax(0).sum();
    const double negative = -m_weights.cwiseMin(0).sum();
    for (double &weight : m_weights)
        weight *= weight >= 0 ? 1 / positive : othersInAll / negative;
    m_pathRate = (4 + mu / d) / (d + 4 + 2 * mu / d);
    m_deviationRate = (mu + 2) / (d + mu + 5);
    m_deviationDamping = 1 + 2 * std::max(0.0, std::sqrt((mu - 1) / (d + 1)) - 1) + m_deviationRate;
    m_expectedLength = std::sqrt(d) * (1 - 1 / (4 * d) + 1 / (21 * d * d));

    m_covariance = MatrixXd::Identity(n, n);
    m_path = VectorXd::Zero(n);
    m_deviationPath = VectorXd::Zero(n);
    m_stretch = VectorXd::Ones(n);
    decompose();
}

void Evolution::decompose()
{
    m_covariance = 0.5 * (m_covariance + m_covariance.transpose()).eval();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(m_covariance);
    m_axes = solver.eigenvectors();
    m_lengths = solver.eigenvalues().unaryExpr([](double value) { return std::sqrt(value < 0 ? tiny : value); });
    m_covariance = m_axes * m_lengths.cwiseAbs2().asDiagonal() * m_axes.transpose();
}

void Evolution::update(const MatrixXd &bestFirst, bool mayBeForeign)
{
    ++m_generation;
    const Index n = m_mean.size();
    const auto d = static_cast<double>(n);
    const MatrixXd whitening = m_axes * m_lengths.cwiseInverse().asDiagonal() * m_axes.transpose();
    MatrixXd steps = (bestFirst.rowwise() - m_mean.transpose()).transpose() / m_deviation;  // one in each column
    if (mayBeForeign) {
        const double longest = std::sqrt(d) + 2 * d / (d + 2);
        for (Index i = 0; i < steps.cols(); ++i) {
            const double length = (whitening * steps.col(i)).norm();
            if (length > longest)
                steps.col(i) *= longest / length;
        }
    }
    const VectorXd step = steps.leftCols(m_parents) * m_weights.head(m_parents);
    m_mean += m_deviation * step;

    const double c = m_deviationRate;
    m_deviationPath = (1 - c) * m_deviationPath + std::sqrt(c * (2 - c) * m_effectiveParents) * (whitening * step);
    const double length = m_deviationPath.norm();
    m_deviation = std::min(m_deviation * std::exp(c / m_deviationDamping * (length / m_expectedLength - 1)), 1e32);

    const bool isSteady =
        length / std::sqrt(1 - std::pow(1 - c, 2 * (m_generation + 1))) < (1.4 + 2 / (d + 1)) * m_expectedLength;
    m_path *= 1 - m_pathRate;
    if (isSteady)
        m_path += std::sqrt(m_pathRate * (2 - m_pathRate) * m_effectiveParents) * step;
    VectorXd weights = m_weights;
    for (Index i = 0; i < weights.size(); ++i) {
        if (weights[i] < 0)
            weights[i] *= d / ((whitening * steps.col(i)).squaredNorm() + tiny);
    }
    const double lost = isSteady ? 0 : m_pathRate * (2 - m_pathRate);
    m_covariance = (1 + m_rankOneRate * lost - m_rankOneRate - m_rankMuRate * m_weights.sum()) * m_covariance
                   + m_rankOneRate * m_path * m_path.transpose()
                   + m_rankMuRate * steps * weights.asDiagonal() * steps.transpose();
    keepMargin();
    decompose();
}

/// Discrete parameters: moves the mean, or stretches the draws, until each side has at least the margin of probability.
void Evolution::keepMargin()
{
    const double margin = 1 / static_cast<double>(m_mean.size() * m_weights.size());
    for (Index i = 0; i < m_mean.size(); ++i) {
        const std::uint64_t cells = m_cells[static_cast<std::size_t>(i)];
        if (cells == 0)
            continue;
        const std::uint64_t here = cellOf(m_mean[i], cells);
        const auto border = [cells](std::uint64_t above) {
            return static_cast<double>(std::clamp<std::uint64_t>(above, 1, cells - 1)) / static_cast<double>(cells);
        };
        const double low = border(here);
        const double high = border(here + 1);
        const double root = std::sqrt(m_covariance(i, i));
        const double scale = m_deviation * m_stretch[i] * root;
        double below = normalBelow((low - m_mean[i]) / scale);
        double above = 1 - normalBelow((high - m_mean[i]) / scale);
        const double between = 1 - (below + above);
        if (std::max(below, above) > 0.5) {  // in the first or last cell
            if (std::min(below, above) < margin)
                m_mean[i] = high + std::copysign(scale * upperQuantile(margin), m_mean[i] - high);
            continue;
        }
        below = std::max(below, margin / 2);
        above = std::max(above, margin / 2);
        const double excess = (1 - below - above - between) / (below + between + above - 1.5 * margin);
        const auto corrected = [margin, excess](double side) {
            return std::clamp(side + excess * (side - margin / 2), 1e-10, 0.5 - 1e-10);
        };
        const double zLow = upperQuantile(corrected(below));
        const double zHigh = upperQuantile(corrected(above));
        m_stretch[i] = (high - low) / ((zLow + zHigh) * m_deviation * root);
        m_mean[i] = (low * zHigh + high * zLow) / (zLow + zHigh);
    }
}

VectorXd Evolution::point(const VectorXd &normals) const
{
    return m_mean + m_deviation * (m_axes * m_lengths.cwiseProduct(normals));
}

VectorXd Evolution::rounded(const VectorXd &point) const
{
    VectorXd result = point;
    for (Index i = 0; i < point.size(); ++i) {
        const std::uint64_t cells = m_cells[static_cast<std::size_t>(i)];
        if (cells != 0) {
            const double stretched = m_mean[i] + m_stretch[i] * (point[i] - m_mean[i]);
            result[i] = (static_cast<double>(cellOf(stretched, cells)) + 0.5) / static_cast<double>(cells);
        }
    }
    return result;
}

}  // namespace sweepscope::search
