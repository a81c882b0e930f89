#include "search/gaussianprocess.h"

#include <nlopt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

namespace sweepscope::search {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Squared distance along one parameter.
double squaredDistance(double a, double b, bool isCategory)
{
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b) ? 0 : 1;
    if (isCategory)
        return a == b ? 0 : 1;
    return (a - b) * (a - b);
}

MatrixXd squaredDistances(const Eigen::Ref<const VectorXd> &left, const Eigen::Ref<const VectorXd> &right,
                          bool isCategory)
{
    MatrixXd squares(left.size(), right.size());
    if (!isCategory && !left.hasNaN() && !right.hasNaN()) {
        for (Index column = 0; column < right.size(); ++column)
            squares.col(column) = (left.array() - right[column]).square();
        return squares;
    }
    for (Index column = 0; column < right.size(); ++column) {
        for (Index row = 0; row < left.size(); ++row)
            squares(row, column) = squaredDistance(left[row], right[column], isCategory);
    }
    return squares;
}

MatrixXd scaledSquares(const GpInputs &left, const GpInputs &right, const std::vector<bool> &isCategory,
                       const GpParameters &parameters)
{
    MatrixXd sum = MatrixXd::Zero(left.rows(), right.rows());
    std::vector<Index> lines;  // on which all points lie
    for (Index j = 0; j < left.cols(); ++j) {
        const bool isCategorical = isCategory[static_cast<std::size_t>(j)];
        if (isCategorical || left.col(j).hasNaN() || right.col(j).hasNaN())
            sum += parameters.inverseSquares[j] * squaredDistances(left.col(j), right.col(j), isCategorical);
        else
            lines.push_back(j);
    }
    for (Index column = 0; column < right.rows(); ++column) {
        for (const Index j : lines)
            sum.col(column).array() += parameters.inverseSquares[j] * (left.col(j).array() - right(column, j)).square();
    }
    return sum;
}

/// Eigen chooses the order of sums by the sizes of the CPU's caches and by the number of threads: fixes both, so that a
/// suggestion is the same on machines of one kind.
void fixOrderOfSums()
{
    static const bool isFixed = [] {
        Eigen::setCpuCacheSizes(32 * 1024, 256 * 1024, 2 * 1024 * 1024);
        Eigen::setNbThreads(1);
        return true;
    }();
    (void)isFixed;
}

/// M of GpParameters.
MatrixXd matern(const MatrixXd &squares)
{
    const Eigen::ArrayXXd u = (5 * squares.array()).sqrt();
    return (-u).exp() * (1 + u + u.square() / 3);
}

/// dM / d(r^2)
MatrixXd maternSlope(const MatrixXd &squares)
{
    const Eigen::ArrayXXd u = (5 * squares.array()).sqrt();
    return -5.0 / 6 * (-u).exp() * (1 + u);
}

/// Log of the prior densities and their derivatives by the parameters themselves.
double logPrior(const GpParameters &parameters)
{
    const Eigen::ArrayXd lambda = parameters.inverseSquares.array();
    return -(0.1 / lambda + 0.1 * lambda).sum() + std::log(parameters.scale) - parameters.scale
           + 0.1 * std::log(parameters.noise) - 30 * parameters.noise;
}

GpParameters parametersOf(const double *logs, Index dimensions, double relation)
{
    GpParameters parameters;
    parameters.relation = relation;
    parameters.inverseSquares = Eigen::Map<const VectorXd>(logs, dimensions).array().exp();
    parameters.scale = std::exp(logs[dimensions]);
    parameters.noise = std::exp(logs[dimensions + 1]) + leastNoise;
    return parameters;
}

struct KernelFit {
    const GpData *data;
    double relation;
};

double negatedPosterior(unsigned count, const double *logs, double *gradient, void *data)
{
    const auto &fit = *static_cast<const KernelFit *>(data);
    const std::optional<GpLikelihood> likelihood =
        gpLikelihood(*fit.data, parametersOf(logs, fit.data->inputs.cols(), fit.relation));
    const bool isGood = likelihood && std::isfinite(likelihood->logPosterior) && likelihood->gradient.allFinite();
    for (unsigned i = 0; gradient != nullptr && i < count; ++i)
        gradient[i] = isGood ? -likelihood->gradient[i] : 0;
    return isGood ? -likelihood->logPosterior : 1e300;
}

/// How much the function of each input's source is this sweep's. Inputs without a source are of this sweep.
VectorXd relationsOf(const GpData &data, const GpParameters &parameters)
{
    VectorXd relations = VectorXd::Ones(data.inputs.rows());
    for (std::size_t i = 0; i < data.sources.size(); ++i) {
        if (data.sources[i] != 0)
            relations[static_cast<Index>(i)] = parameters.relation;
    }
    return relations;
}

/// Lowers covariances and their slopes between different sources.
void relate(MatrixXd &covariances, const GpData &data, const GpParameters &parameters)
{
    if (data.sources.empty())
        return;
    const auto count = static_cast<Index>(data.sources.size());
    const VectorXd relations = relationsOf(data, parameters);
    for (Index column = 0; column < covariances.cols(); ++column) {
        for (Index row = 0; row < covariances.rows(); ++row) {
            const int left = row < count ? data.sources[static_cast<std::size_t>(row)] : 0;
            const int right = column < count ? data.sources[static_cast<std::size_t>(column)] : 0;
            if (left != right)
                covariances(row, column) *= relations[row] * relations[column];
        }
    }
}

bool hasSeveralSources(const GpData &data)
{
    return std::ranges::adjacent_find(data.sources, std::not_equal_to()) != data.sources.end();
}

struct RelationPrior {
    double relation;
    double probability;
};
constexpr std::array<RelationPrior, 5> relationPriors{{{0.95, 0.3}, {0.8, 0.3}, {0.5, 0.2}, {0.25, 0.1}, {0, 0.1}}};

/// The likeliest, the kernel being as it is.
double likeliestRelation(const GpData &data, GpParameters parameters)
{
    double most = -std::numeric_limits<double>::infinity();
    double likeliest = parameters.relation;
    for (const auto &[relation, probability] : relationPriors) {
        parameters.relation = relation;
        const std::optional<GpLikelihood> likelihood = gpLikelihood(data, parameters);
        const double logPosterior = likelihood ? likelihood->logPosterior + std::log(probability) : most;
        if (logPosterior > most) {
            most = logPosterior;
            likeliest = relation;
        }
    }
    return likeliest;
}

}  // namespace

GpInputs gpInputs(const std::vector<Axis> &axes, const std::vector<const Coordinates *> &points)
{
    GpInputs inputs(static_cast<Index>(points.size()), static_cast<Index>(axes.size()));
    for (std::size_t row = 0; row < points.size(); ++row) {
        for (std::size_t column = 0; column < axes.size(); ++column) {
            const Axis &axis = axes[column];
            const double coordinate = (*points[row])[column];
            inputs(static_cast<Index>(row), static_cast<Index>(column)) =
                axis.isCategorical() ? coordinate : (coordinate - axis.low()) / (axis.high() - axis.low());
        }
    }
    return inputs;
}

std::optional<GpLikelihood> gpLikelihood(const GpData &data, const GpParameters &parameters)
{
    fixOrderOfSums();
    const Index n = data.inputs.rows();
    const Index dimensions = data.inputs.cols();
    const MatrixXd squares = scaledSquares(data.inputs, data.inputs, data.isCategory, parameters);
    MatrixXd kernel = parameters.scale * matern(squares);
    relate(kernel, data, parameters);
    MatrixXd covariance = kernel;
    covariance.diagonal().array() += parameters.noise;
    const Eigen::LLT<MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success)
        return std::nullopt;
    const VectorXd weights = factor.solve(data.values);
    const double logDeterminant = 2 * factor.matrixLLT().diagonal().array().log().sum();

    GpLikelihood likelihood;
    likelihood.logPosterior =
        -0.5 * (logDeterminant + static_cast<double>(n) * std::log(2 * std::numbers::pi) + data.values.dot(weights))
        + logPrior(parameters);
    // The gradient by a parameter p is half the trace of (w w' - K^-1) dK/dp.
    const MatrixXd influence = weights * weights.transpose() - factor.solve(MatrixXd::Identity(n, n));
    likelihood.gradient.resize(dimensions + 2);
    MatrixXd slopes = influence.cwiseProduct(parameters.scale * maternSlope(squares));
    relate(slopes, data, parameters);
    for (Index j = 0; j < dimensions; ++j) {
        const double lambda = parameters.inverseSquares[j];
        const MatrixXd distances =
            squaredDistances(data.inputs.col(j), data.inputs.col(j), data.isCategory[static_cast<std::size_t>(j)]);
        likelihood.gradient[j] = 0.5 * lambda * slopes.cwiseProduct(distances).sum() + (0.1 / lambda - 0.1 * lambda);
    }
    likelihood.gradient[dimensions] = 0.5 * influence.cwiseProduct(kernel).sum() + 1 - parameters.scale;
    likelihood.gradient[dimensions + 1] =
        (parameters.noise - leastNoise) * (0.5 * influence.trace() + 0.1 / parameters.noise - 30);
    return likelihood;
}

namespace {

GpParameters fitKernel(const GpData &data, double relation)
{
    const Index dimensions = data.inputs.cols();
    std::vector<double> logs(static_cast<std::size_t>(dimensions) + 2, 0.0);
    logs.back() = std::log(0.01);
    KernelFit fit{&data, relation};
    nlopt_opt optimizer = nlopt_create(NLOPT_LD_LBFGS, static_cast<unsigned>(logs.size()));
    nlopt_set_min_objective(optimizer, negatedPosterior, &fit);
    // Logarithms: wide enough for every length and noise that makes a difference.
    nlopt_set_lower_bounds1(optimizer, -18);
    nlopt_set_upper_bounds1(optimizer, 12);
    nlopt_set_ftol_abs(optimizer, 1e-3);
    nlopt_set_maxeval(optimizer, 60);
    double least = 0;
    const nlopt_result result = nlopt_optimize(optimizer, logs.data(), &least);
    nlopt_destroy(optimizer);
    // It reports a failure, too, where rounding stops it close to a maximum.
    const bool isUsable = (result > 0 || result == NLOPT_ROUNDOFF_LIMITED || result == NLOPT_FAILURE) && least < 1e299;
    if (!isUsable) {
        std::ranges::fill(logs, 0.0);
        logs.back() = std::log(0.01);
    }
    return parametersOf(logs.data(), dimensions, relation);
}

}  // namespace

GpParameters fitGp(const GpData &data)
{
    GpParameters parameters = fitKernel(data, GpParameters().relation);
    if (!hasSeveralSources(data))
        return parameters;
    const double relation = likeliestRelation(data, parameters);
    return relation == parameters.relation ? parameters : fitKernel(data, relation);
}

GpPosterior::GpPosterior(GpData data, const GpInputs &pending, GpParameters parameters)
    : m_data(std::move(data)), m_parameters(std::move(parameters))
{
    fixOrderOfSums();
    const Index known = m_data.inputs.rows();
    if (pending.rows() > 0) {
        GpInputs all(known + pending.rows(), m_data.inputs.cols());
        all << m_data.inputs, pending;
        m_data.inputs = std::move(all);
    }
    MatrixXd covariance =
        m_parameters.scale * matern(scaledSquares(m_data.inputs, m_data.inputs, m_data.isCategory, m_parameters));
    relate(covariance, m_data, m_parameters);
    covariance.diagonal().array() += m_parameters.noise;
    m_relations = relationsOf(m_data, m_parameters);
    m_factor.compute(covariance);
    if (m_factor.info() != Eigen::Success)
        return;
    // The factor of the first points alone is the upper left part of that of all.
    const auto part = m_factor.matrixLLT().topLeftCorner(known, known);
    MatrixXd weights = m_data.values;
    part.triangularView<Eigen::Lower>().solveInPlace(weights);
    part.triangularView<Eigen::Lower>().transpose().solveInPlace(weights);
    m_weights = weights.col(0);
    m_isValid = m_weights.allFinite();
}

VectorXd GpPosterior::fittedMeans() const
{
    return m_data.values - m_parameters.noise * m_weights;  // because (K + noise) weights = values
}

GpPosterior::Prediction GpPosterior::predict(const GpInputs &points) const
{
    MatrixXd covariances =
        m_parameters.scale * matern(scaledSquares(m_data.inputs, points, m_data.isCategory, m_parameters));
    covariances.array().colwise() *= m_relations.array();
    Prediction prediction;
    prediction.means = covariances.topRows(m_weights.size()).transpose() * m_weights;
    m_factor.matrixLLT().triangularView<Eigen::Lower>().solveInPlace(covariances);
    prediction.deviations =
        (m_parameters.scale - covariances.colwise().squaredNorm().transpose().array()).max(1e-12).sqrt();
    return prediction;
}

double GpPosterior::likeliestMean() const
{
    const VectorXd influence = m_factor.solve(VectorXd::Ones(m_data.values.size()));
    return influence.dot(m_data.values) / influence.sum();
}

std::optional<MatrixXd> GpPosterior::drawResults(const GpInputs &points, const MatrixXd &normals) const
{
    MatrixXd known = m_parameters.scale * matern(scaledSquares(m_data.inputs, points, m_data.isCategory, m_parameters));
    known.array().colwise() *= m_relations.array();
    const VectorXd means = known.topRows(m_weights.size()).transpose() * m_weights;
    m_factor.matrixLLT().triangularView<Eigen::Lower>().solveInPlace(known);
    MatrixXd covariance = m_parameters.scale * matern(scaledSquares(points, points, m_data.isCategory, m_parameters));
    covariance.noalias() -= known.transpose() * known;
    covariance.diagonal().array() += m_parameters.noise;
    const Eigen::LLT<MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success)
        return std::nullopt;
    const MatrixXd spread = factor.matrixL() * normals;
    return MatrixXd(spread.colwise() + means);
}

GpPosterior::Slope GpPosterior::slope(const Eigen::RowVectorXd &point) const
{
    const MatrixXd squares = scaledSquares(m_data.inputs, point, m_data.isCategory, m_parameters);
    const VectorXd covariances = m_parameters.scale * matern(squares).col(0).cwiseProduct(m_relations);
    const VectorXd steepness = m_parameters.scale * maternSlope(squares).col(0).cwiseProduct(m_relations);
    const VectorXd solved = m_factor.solve(covariances);
    Slope slope;
    slope.mean = covariances.head(m_weights.size()).dot(m_weights);
    slope.deviation = std::sqrt(std::max(m_parameters.scale - covariances.dot(solved), 1e-12));
    slope.meanGradient = VectorXd::Zero(point.size());
    slope.deviationGradient = VectorXd::Zero(point.size());
    for (Index j = 0; j < point.size(); ++j) {
        if (m_data.isCategory[static_cast<std::size_t>(j)] || std::isnan(point[j]))
            continue;
        // Where the parameter does not apply to an input, its distance is constant.
        const VectorXd byPoint =
            (2 * m_parameters.inverseSquares[j]) * steepness.array()
            * m_data.inputs.col(j).array().isNaN().select(0, point[j] - m_data.inputs.col(j).array());
        slope.meanGradient[j] = byPoint.head(m_weights.size()).dot(m_weights);
        slope.deviationGradient[j] = -byPoint.dot(solved) / slope.deviation;
    }
    return slope;
}

VectorXd GpPosterior::correlations(const Eigen::RowVectorXd &point) const
{
    return matern(scaledSquares(m_data.inputs.topRows(m_weights.size()), point, m_data.isCategory, m_parameters))
        .col(0);
}

}  // namespace sweepscope::search
