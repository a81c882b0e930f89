#pragma once

#include "search/axis.h"
#include "search/parzen.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// Points as a Gaussian process sees them: a row for each, a column for each parameter. A line is scaled to 0 … 1, a
/// category keeps its number, and NaN stands for a parameter that does not apply.
using GpInputs = Eigen::MatrixXd;

GpInputs gpInputs(const std::vector<Axis> &axes, const std::vector<const Coordinates *> &points);

/// Parameters of the kernel scale * M(r^2) and of the noise. M is Matern 5/2: with u = sqrt(5 r^2),
/// M = exp(-u) (1 + u + u^2 / 3). r^2 is the sum over parameters of inverseSquares[j] * d^2; d is the distance on a line,
/// and 1 between two categories or where the parameter applies to one of the two points only.
///
/// Results of several sources are values of several functions, each of them `relation` times a common function and the rest
/// its own (a model of coregionalization with one factor): values of other sources determine this sweep's function, which is the
/// common one, the less the smaller the relation is, however many there are.
struct GpParameters {
    Eigen::VectorXd inverseSquares;  ///< of the lengths
    double scale = 1;
    double noise = 0.1;     ///< variance
    double relation = 0.9;  ///< 0 to 1
};

/// Log of the marginal likelihood of `values` plus the log of the prior (Optuna 5.0.0's: lengths neither very short nor
/// very long, a scale around 1, little noise), and its gradient by the logarithms of inverseSquares, scale, and noise
/// above leastNoise.
struct GpLikelihood {
    double logPosterior = 0;
    Eigen::VectorXd gradient;
};
inline constexpr double leastNoise = 1e-6;

/// Results as a Gaussian process sees them.
struct GpData {
    GpInputs inputs;
    std::vector<bool> isCategory;  ///< of the columns
    Eigen::VectorXd values;        ///< with zero mean, or nearly so
    std::vector<int> sources{};    ///< of the values; 0 is this sweep; empty: all are
};

/// nullopt if the covariance is not positive definite in floating-point arithmetic.
std::optional<GpLikelihood> gpLikelihood(const GpData &data, const GpParameters &parameters);

/// The parameters of the largest posterior that L-BFGS finds from 1, 1 and 0.01; those themselves if it fails. With results
/// of several sources the relation is one of a few between 0 and 0.95, of which the data make high ones likely or not.
GpParameters fitGp(const GpData &data);

/// The posterior of the process given `data` and `pending` points. Pending points get their predicted value, which
/// lowers the deviation around them and changes no mean.
class GpPosterior {
public:
    /// Check isValid().
    GpPosterior(GpData data, const GpInputs &pending, GpParameters parameters);

    bool isValid() const { return m_isValid; }

    struct Prediction {
        Eigen::VectorXd means;
        Eigen::VectorXd deviations;
    };
    /// The means at the known points.
    Eigen::VectorXd fittedMeans() const;
    Prediction predict(const GpInputs &points) const;

    /// The mean for which the results are likeliest (generalized least squares): points that crowd together count less than
    /// those far from all others. For a posterior without pending points.
    double likeliestMean() const;

    /// Joint draws of results at `points`, noise included. `normals` are standard normal numbers: a row for each point, a
    /// column for each draw. nullopt if their covariance is not positive definite in floating-point arithmetic.
    std::optional<Eigen::MatrixXd> drawResults(const GpInputs &points, const Eigen::MatrixXd &normals) const;

    struct Slope {
        double mean = 0;
        double deviation = 0;
        Eigen::VectorXd meanGradient;  ///< by each parameter; 0 for categories and parameters that do not apply
        Eigen::VectorXd deviationGradient;
    };
    Slope slope(const Eigen::RowVectorXd &point) const;

    /// Correlations of a point with the inputs, 0 to 1.
    Eigen::VectorXd correlations(const Eigen::RowVectorXd &point) const;

private:
    GpData m_data;  ///< its inputs have the pending points at the end
    GpParameters m_parameters;
    Eigen::LLT<Eigen::MatrixXd> m_factor;
    Eigen::VectorXd m_relations;  ///< of the inputs to this sweep: 1, or GpParameters::relation
    Eigen::VectorXd m_weights;    ///< of the inputs in the mean
    bool m_isValid = false;
};

}  // namespace sweepscope::search
