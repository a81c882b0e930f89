#include "search/outputwarp.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sweepscope::search {

namespace {

constexpr double mostUnits = 1000;
constexpr double leastPower = -2;
constexpr double mostPower = 4;

struct Moments {
    double mean = 0;
    double deviation = 1;
};

Moments momentsOf(const std::vector<double> &values)
{
    Moments moments;
    const auto count = static_cast<double>(values.size());
    for (const double value : values)
        moments.mean += value / count;
    double variance = 0;
    for (const double value : values)
        variance += (value - moments.mean) * (value - moments.mean) / count;
    moments.deviation = variance > 1e-24 ? std::sqrt(variance) : 1;
    return moments;
}

double yeoJohnson(double value, double power)
{
    if (value >= 0)
        return std::fabs(power) < 1e-9 ? std::log1p(value) : std::expm1(power * std::log1p(value)) / power;
    const double other = 2 - power;
    return std::fabs(other) < 1e-9 ? -std::log1p(-value) : -std::expm1(other * std::log1p(-value)) / other;
}

double inverseYeoJohnson(double value, double power)
{
    if (value >= 0) {
        if (std::fabs(power) < 1e-9)
            return std::expm1(value);
        return std::expm1(std::log1p(std::max(power * value, -1 + 1e-12)) / power);
    }
    const double other = 2 - power;
    if (std::fabs(other) < 1e-9)
        return -std::expm1(-value);
    return -std::expm1(std::log1p(std::max(-other * value, -1 + 1e-12)) / other);
}

double logLikelihood(const std::vector<double> &values, double power)
{
    std::vector<double> warped;
    double logs = 0;
    for (const double value : values) {
        warped.push_back(yeoJohnson(value, power));
        logs += std::copysign(std::log1p(std::fabs(value)), value);
    }
    const Moments moments = momentsOf(warped);
    return -static_cast<double>(values.size()) * std::log(moments.deviation) + (power - 1) * logs;
}

/// Golden-section search: the likelihood has one maximum.
double likeliestPower(const std::vector<double> &values)
{
    constexpr double golden = 0.6180339887498949;
    double low = leastPower;
    double high = mostPower;
    double left = high - golden * (high - low);
    double right = low + golden * (high - low);
    double atLeft = logLikelihood(values, left);
    double atRight = logLikelihood(values, right);
    while (high - low > 1e-3) {
        if (atLeft > atRight) {
            high = right;
            right = left;
            atRight = atLeft;
            left = high - golden * (high - low);
            atLeft = logLikelihood(values, left);
        } else {
            low = left;
            left = right;
            atLeft = atRight;
            right = low + golden * (high - low);
            atRight = logLikelihood(values, right);
        }
    }
    return (low + high) / 2;
}

}  // namespace

OutputWarp::OutputWarp(std::span<const double> values)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    if (sorted.empty())
        return;
    m_middle = sorted.front();
    if (sorted.front() == sorted.back())
        return;
    m_middle = *std::upper_bound(sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end(),
                                 sorted.front());
    // Halved first, so that the difference of the largest numbers does not overflow.
    m_unit = std::max(2 * (m_middle / 2 - sorted.front() / 2), 1e-300);
    std::vector<double> warped;
    for (const double value : values)
        warped.push_back(scaled(value));
    m_largest = scaled(sorted.back());
    m_power = likeliestPower(warped);
    for (double &value : warped)
        value = yeoJohnson(value, m_power);
    const Moments moments = momentsOf(warped);
    m_mean = moments.mean;
    m_deviation = moments.deviation;
}

double OutputWarp::scaled(double value) const
{
    return std::clamp(2 * ((value / 2 - m_middle / 2) / m_unit), -mostUnits, mostUnits);
}

double OutputWarp::apply(double value) const
{
    return (yeoJohnson(scaled(value), m_power) - m_mean) / m_deviation;
}

double OutputWarp::invert(double warped) const
{
    const double powered = warped * m_deviation + m_mean;
    double units = 0;
    if (const double best = yeoJohnson(-1, m_power); powered < best)
        units = -1 + (powered - best) * std::pow(2, m_power - 1);
    else if (const double worst = yeoJohnson(m_largest, m_power); powered > worst)
        units = std::min(m_largest + (powered - worst) * std::pow(1 + m_largest, 1 - m_power), 2 * m_largest + 1);
    else
        units = inverseYeoJohnson(powered, m_power);
    return m_middle + units * m_unit;
}

OutputWarp OutputWarp::raisedBy(double level) const
{
    OutputWarp raised = *this;
    raised.m_mean -= level * m_deviation;
    return raised;
}

}  // namespace sweepscope::search
