#pragma once

#include "search/axis.h"
#include "sweep/splitmix.h"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sweepscope::search {

/// A point as a model sees it: a category number or coordinate for each parameter, NaN if its condition is false.
using Coordinates = std::vector<double>;
inline constexpr double inactive = std::numeric_limits<double>::quiet_NaN();

/// Density estimated from observed points, as in TPE (Bergstra et al., Algorithms for Hyper-Parameter Optimization, NIPS
/// 2011; constants of Watanabe, arXiv:2304.11127): a mixture of one kernel per observation and a last one, the prior.
///
/// A kernel is a product over the parameters. On a line it is a normal distribution around the observation, as wide as
/// the larger distance to the next observations and truncated to the line; for a category it is the observation's category
/// with some weight on the others. Where an observation lacks a parameter, its kernel has the prior's factor there: so one
/// joint model serves a tree of conditions.
class ParzenEstimator {
public:
    /// `weights` are of the observations, not normalised; the prior weighs 1. `ascending` has, for each parameter on a line,
    /// the places of observations that have it in the order of their coordinates; `kernelOf` maps a place to the index in
    /// `observations`, or to a negative number if it is not among them. `axes` must outlive the estimator.
    ParzenEstimator(const std::vector<Axis> &axes, const std::vector<const Coordinates *> &observations,
                    const std::vector<double> &weights, const std::vector<std::vector<std::size_t>> &ascending,
                    const std::vector<std::ptrdiff_t> &kernelOf);

    std::size_t kernelCount() const { return m_cumulated.size(); }
    /// Normalised.
    Eigen::ArrayXd weights() const { return m_logWeights.exp(); }
    /// Of the kernels of one parameter; empty for a category.
    Eigen::ArrayXd widths(std::size_t parameter) const { return m_parameters[parameter].inverseWidths.inverse(); }

    /// Kernel numbers are drawn in proportion to their weights.
    std::size_t drawKernel(sweep::SplitMix64 &random) const;
    /// A category number or coordinate, drawn from one kernel's factor. A coordinate of a discrete line is anywhere in the
    /// cell of its value.
    double draw(std::size_t kernel, std::size_t parameter, sweep::SplitMix64 &random) const;

    /// Log densities of points. A discrete line and a category contribute the probability of the value.
    std::vector<double> logDensities(const std::vector<Coordinates> &points) const;
    /// Log of what each kernel contributes to the density at a point.
    Eigen::ArrayXd contributions(const Coordinates &point) const;

private:
    struct Parameter {
        Eigen::ArrayXd means;  ///< NaN: the kernel has the prior's factor, or is the prior (categories only)
        Eigen::ArrayXd inverseWidths;
        /// Log of the truncated mass, and on a continuous line of the width and sqrt(2 pi). NaN: not computed yet.
        mutable std::vector<double> logNormalisers;
        double mostInverse = 0;   ///< of the narrowest width
        double logNarrowest = 0;  ///< of the narrowest width and sqrt(2 pi)
        double own = 0;           ///< category: log probability of the kernel's own category
        double other = 0;         ///< category: of each of the others
        double most = 0;          ///< upper bound of all log factors
    };
    void addLine(const Axis &axis, Parameter &parameter, const std::vector<std::size_t> &ascending,
                 const std::vector<std::ptrdiff_t> &kernelOf) const;
    void addCategory(const Axis &axis, Parameter &parameter) const;
    double logNormaliser(std::size_t parameter, std::size_t kernel) const;
    double logFactor(std::size_t parameter, std::size_t kernel, double coordinate) const;
    struct Term {
        std::uint32_t kernel;
        double sum;  ///< of its log weight and the factors so far
    };
    double logDensity(const Coordinates &point, std::vector<Term> &terms) const;
    static double logSum(const std::vector<Term> &terms);

    const std::vector<Axis> *m_axes;
    Eigen::ArrayXd m_logWeights;
    std::vector<double> m_cumulated;  ///< weights, for drawing
    std::vector<Parameter> m_parameters;
};

/// Weights by age, the oldest first: the newest 25 weigh 1, older ones linearly less.
std::vector<double> weightsByAge(std::size_t count);

}  // namespace sweepscope::search
