#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sweepscope::train {

namespace {

/// From `start` to `end` along half a cosine; `share` from 0 to 1.
double cosineBetween(double start, double end, double share)
{
    return end + (start - end) / 2 * (1 + std::cos(std::numbers::pi * share));
}

}  // namespace

std::int64_t stepsOfTraining(const TrainSettings &settings, std::int64_t stepsPerEpoch)
{
    const std::int64_t steps = stepsPerEpoch * settings.epochs;
    return std::max<std::int64_t>(1, settings.maxSteps > 0 ? std::min(settings.maxSteps, steps) : steps);
}

Schedule::Schedule(const TrainSettings &settings, std::int64_t stepsPerEpoch)
    : m_settings(settings),
      m_stepsPerEpoch(std::max<std::int64_t>(1, stepsPerEpoch)),
      m_total(stepsOfTraining(settings, stepsPerEpoch))
{}

double Schedule::rate(std::int64_t step) const
{
    if (m_settings.schedule == "one_cycle")
        return oneCycleRate(step);
    const double planned = plannedRate(step);
    if (step >= m_settings.warmupSteps)
        return planned;
    return planned * static_cast<double>(step + 1) / static_cast<double>(m_settings.warmupSteps);
}

double Schedule::plannedRate(std::int64_t step) const
{
    if (m_settings.schedule == "step") {
        const std::int64_t decays = step / m_stepsPerEpoch / m_settings.decayEpochs;
        return m_settings.learningRate * std::pow(m_settings.decayFactor, static_cast<double>(decays));
    }
    if (m_settings.schedule == "cosine")
        return cosineBetween(m_settings.learningRate, 0, static_cast<double>(step) / static_cast<double>(m_total));
    return m_settings.learningRate;
}

/// OneCycleLR's defaults: pct_start 0.3, div_factor 25, final_div_factor 10,000.
double Schedule::oneCycleRate(std::int64_t step) const
{
    const double start = m_settings.learningRate / 25;
    const double end = start / 10'000;
    const double top = 0.3 * static_cast<double>(m_total) - 1;
    const double last = static_cast<double>(m_total) - 1;
    const auto at = static_cast<double>(step);
    if (at <= top)
        return cosineBetween(start, m_settings.learningRate, top > 0 ? at / top : 1);
    return cosineBetween(m_settings.learningRate, end, last > top ? std::min(1.0, (at - top) / (last - top)) : 1);
}

}  // namespace sweepscope::train
