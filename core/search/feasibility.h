#pragma once

#include "search/gaussianprocess.h"

#include <Eigen/Core>

#include <vector>

namespace sweepscope::search {

/// How likely a point gives a usable result: its trial completes with a finite value and violates no constraint. A Gaussian
/// process over the outcomes, 1 for those that were not usable and 0 for the others, predicts a number; below 1/2 it means
/// usable. Learns from trials that ran out of memory or diverged as well as from those that report too much.
class Feasibility {
public:
    /// `data.values` are outcomes, of both kinds. Check isValid().
    Feasibility(GpData data, const GpParameters &parameters);

    /// The outcomes as the process sees them: with mean 0 and deviation 1.
    static Eigen::VectorXd scaled(const Eigen::VectorXd &outcomes);

    bool isValid() const { return m_posterior.isValid(); }

    /// Logarithms of the probabilities that the points are usable.
    Eigen::VectorXd logProbabilities(const GpInputs &points) const;

    struct Slope {
        double value = 0;          ///< logarithm of the probability
        Eigen::VectorXd gradient;  ///< by each parameter; 0 for categories and parameters that do not apply
    };
    Slope slope(const Eigen::RowVectorXd &point) const;

private:
    double m_threshold;  ///< a scaled outcome of 1/2
    GpPosterior m_posterior;
};

}  // namespace sweepscope::search
