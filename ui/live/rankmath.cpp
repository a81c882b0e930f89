#include "ui/live/rankmath.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sweepscope::ui {

namespace {

constexpr std::int64_t patienceNs = 5'000'000'000;

}  // namespace

SmoothedSeries::SmoothedSeries(double weight) : m_weight(weight), m_series({}, {}) {}

const series::Series &SmoothedSeries::update(const series::Series &source)
{
    const std::vector<series::Sample> &samples = source.samples();
    for (; m_taken < samples.size(); ++m_taken) {
        series::Sample sample = samples[m_taken];
        if (!std::isfinite(sample.value))
            continue;
        m_sum = m_sum * m_weight + sample.value * (1 - m_weight);
        m_weightSum = m_weightSum * m_weight + (1 - m_weight);
        sample.value = m_sum / m_weightSum;
        m_series.append(sample);
    }
    return m_series;
}

RankAggregate::RankAggregate() : m_mean({}, {}), m_minimum({}, {}), m_maximum({}, {}) {}

void RankAggregate::update(const std::vector<const series::Series *> &ranks, bool finished)
{
    m_next.resize(ranks.size(), 0);
    while (takeStep(ranks, finished)) {
    }
}

bool RankAggregate::takeStep(const std::vector<const series::Series *> &ranks, bool finished)
{
    std::int64_t step = std::numeric_limits<std::int64_t>::max();
    std::int64_t stepTime = 0;
    std::int64_t newestTime = 0;
    bool somebodyMissing = false;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::vector<series::Sample> &samples = ranks[rank]->samples();
        if (!samples.empty())
            newestTime = std::max(newestTime, samples.back().timeNs);
        if (m_next[rank] >= samples.size()) {
            somebodyMissing = true;
        } else if (samples[m_next[rank]].step < step) {
            step = samples[m_next[rank]].step;
            stepTime = samples[m_next[rank]].timeNs;
        }
    }
    if (step == std::numeric_limits<std::int64_t>::max())
        return false;
    if (somebodyMissing && !finished && newestTime - stepTime < patienceNs)
        return false;

    double sum = 0;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();
    int count = 0;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::vector<series::Sample> &samples = ranks[rank]->samples();
        if (m_next[rank] >= samples.size() || samples[m_next[rank]].step != step)
            continue;
        const series::Sample &sample = samples[m_next[rank]++];
        sum += sample.value;
        lowest = std::isnan(sample.value) ? sample.value : std::min(lowest, sample.value);
        highest = std::isnan(sample.value) ? sample.value : std::max(highest, sample.value);
        stepTime = std::max(stepTime, sample.timeNs);
        ++count;
    }
    if (!m_mean.empty())
        stepTime = std::max(stepTime, m_mean.samples().back().timeNs);
    m_mean.append({step, stepTime, sum / count});
    m_minimum.append({step, stepTime, lowest});
    m_maximum.append({step, stepTime, highest});
    return true;
}

}  // namespace sweepscope::ui
