#pragma once

#include "search/axis.h"
#include "sweep/splitmix.h"

#include <Eigen/Core>

#include <cstddef>
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
    /// the observations that have it in the order of their coordinates. `axes` must outlive the estimator.
    ParzenEstimator(const std::vector<Axis> &axes, const std::vector<const Coordinates *> &observations,
                    const std::vector<double> &weights, const std::vector<std::vector<std::size_t>> &ascending);

    std::size_t kernelCount() const { return m_cumulated.size(); }
    /// Normalised.
    Eigen::ArrayXd weights() const { return m_logWeights.exp(); }
    /// Of the kernels of one parameter; empty for a category.
    const Eigen::ArrayXd &widths(std::size_t parameter) const { return m_parameters[parameter].widths; }

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
        Eigen::ArrayXd widths;
        Eigen::ArrayXd inverseWidths;
        Eigen::ArrayXd
            logNormalisers;  ///< log of the truncated mass, and on a continuous line of the width and sqrt(2 pi)
        double own = 0;      ///< category: log probability of the kernel's own category
        double other = 0;    ///< category: of each of the others
    };
    void addLine(const Axis &axis, Parameter &parameter, const std::vector<std::size_t> &ascending) const;
    void addCategory(const Axis &axis, Parameter &parameter) const;
    void addFactor(std::size_t parameter, double coordinate, Eigen::ArrayXd &sums) const;

    const std::vector<Axis> *m_axes;
    Eigen::ArrayXd m_logWeights;
    std::vector<double> m_cumulated;  ///< weights, for drawing
    std::vector<Parameter> m_parameters;
};

/// Weights by age, the oldest first: the newest 25 weigh 1, older ones linearly less.
std::vector<double> weightsByAge(std::size_t count);

}  // namespace sweepscope::search
