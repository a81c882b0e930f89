#include "search/feasibility.h"

#include "search/truncatednormal.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sweepscope::search {

namespace {

using Eigen::Index;

double deviationOf(const Eigen::VectorXd &outcomes)
{
    return std::sqrt((outcomes.array() - outcomes.mean()).square().mean());
}

GpData withScaledValues(GpData data)
{
    data.values = Feasibility::scaled(data.values);
    return data;
}

double logBelow(double z)
{
    return logNormalMass(-std::numeric_limits<double>::infinity(), z);
}

}  // namespace

Eigen::VectorXd Feasibility::scaled(const Eigen::VectorXd &outcomes)
{
    return (outcomes.array() - outcomes.mean()) / deviationOf(outcomes);
}

Feasibility::Feasibility(GpData data, const GpParameters &parameters)
    : m_threshold((0.5 - data.values.mean()) / deviationOf(data.values)),
      m_posterior(withScaledValues(std::move(data)), GpInputs(0, parameters.inverseSquares.size()), parameters)
{}

Eigen::VectorXd Feasibility::logProbabilities(const GpInputs &points) const
{
    const GpPosterior::Prediction prediction = m_posterior.predict(points);
    Eigen::VectorXd logs(points.rows());
    for (Index i = 0; i < logs.size(); ++i)
        logs[i] = logBelow((m_threshold - prediction.means[i]) / prediction.deviations[i]);
    return logs;
}

Feasibility::Slope Feasibility::slope(const Eigen::RowVectorXd &point) const
{
    const GpPosterior::Slope outcome = m_posterior.slope(point);
    const double z = (m_threshold - outcome.mean) / outcome.deviation;
    Slope slope{logBelow(z), {}};
    const double byZ = std::exp(logNormalDensity(z) - slope.value);
    slope.gradient = -byZ / outcome.deviation * (outcome.meanGradient + z * outcome.deviationGradient);
    return slope;
}

}  // namespace sweepscope::search
