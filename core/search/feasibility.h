#pragma once

#include "search/gaussianprocess.h"

#include <Eigen/Core>

#include <vector>

namespace sweepscope::search {

/// How likely a point gives a usable result: its trial completes and violates no constraint. For each reason why a trial may
/// not be usable, a Gaussian process predicts a number that is above 0 if it is not: how much a constraint is exceeded, or 1
/// and -1 for trials that failed, ran out of memory or diverged, and others. The reasons count as independent.
class Feasibility {
public:
    /// Numbers as a process sees them.
    struct Scaled {
        Eigen::VectorXd values;  ///< with mean 0 and deviation 1; what is far from the limit counts as less far
        double limit = 0;        ///< what 0 becomes
    };
    static Scaled scaled(const Eigen::VectorXd &excesses);

    /// Adds a reason. `data.values` are excesses. Returns false, and adds nothing, if the covariance is not positive definite
    /// in floating-point arithmetic.
    bool add(GpData data, const GpParameters &parameters);
    bool isEmpty() const { return m_reasons.empty(); }

    /// Logarithms of the probabilities that the points are usable.
    Eigen::VectorXd logProbabilities(const GpInputs &points) const;

    struct Slope {
        double value = 0;          ///< logarithm of the probability
        Eigen::VectorXd gradient;  ///< by each parameter; 0 for categories and parameters that do not apply
    };
    Slope slope(const Eigen::RowVectorXd &point) const;

private:
    struct Reason {
        double limit;
        GpPosterior posterior;
    };
    std::vector<Reason> m_reasons;
};

}  // namespace sweepscope::search
