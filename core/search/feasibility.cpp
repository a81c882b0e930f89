#include "search/feasibility.h"

#include "search/truncatednormal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace sweepscope::search {

namespace {

using Eigen::Index;

/// Of the usual distance from the limit.
constexpr double mostDistance = 3;

double logBelow(double z)
{
    return logNormalMass(-std::numeric_limits<double>::infinity(), z);
}

/// The median of the numbers' absolute values, without zeros.
double usualDistance(const Eigen::VectorXd &excesses)
{
    std::vector<double> distances;
    for (const double excess : excesses) {
        if (excess != 0)
            distances.push_back(std::fabs(excess));
    }
    if (distances.empty())
        return 1;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::ranges::nth_element(distances, middle);
    return *middle;
}

}  // namespace

Feasibility::Scaled Feasibility::scaled(const Eigen::VectorXd &excesses)
{
    const double unit = usualDistance(excesses);
    const Eigen::ArrayXd near = (excesses.array() / unit).max(-mostDistance).min(mostDistance);
    const double mean = near.mean();
    const double deviation = std::sqrt((near - mean).square().mean());
    if (deviation < 1e-12)
        return {Eigen::VectorXd::Zero(excesses.size()), -std::copysign(1.0, mean)};
    return {(near - mean) / deviation, -mean / deviation};
}

bool Feasibility::add(GpData data, const GpParameters &parameters)
{
    Scaled scaled = Feasibility::scaled(data.values);
    data.values = std::move(scaled.values);
    GpPosterior posterior(std::move(data), GpInputs(0, parameters.inverseSquares.size()), parameters);
    if (!posterior.isValid())
        return false;
    m_reasons.push_back({scaled.limit, std::move(posterior)});
    return true;
}

Eigen::VectorXd Feasibility::logProbabilities(const GpInputs &points) const
{
    Eigen::VectorXd logs = Eigen::VectorXd::Zero(points.rows());
    for (const Reason &reason : m_reasons) {
        const GpPosterior::Prediction prediction = reason.posterior.predict(points);
        for (Index i = 0; i < logs.size(); ++i)
            logs[i] += logBelow((reason.limit - prediction.means[i]) / prediction.deviations[i]);
    }
    return logs;
}

Feasibility::Slope Feasibility::slope(const Eigen::RowVectorXd &point) const
{
    Slope slope{0, Eigen::VectorXd::Zero(point.size())};
    for (const Reason &reason : m_reasons) {
        const GpPosterior::Slope excess = reason.posterior.slope(point);
        const double z = (reason.limit - excess.mean) / excess.deviation;
        const double log = logBelow(z);
        slope.value += log;
        slope.gradient -= std::exp(logNormalDensity(z) - log) / excess.deviation
                          * (excess.meanGradient + z * excess.deviationGradient);
    }
    return slope;
}

}  // namespace sweepscope::search
