#pragma once

#include "series/series.h"

#include <cstddef>
#include <vector>

namespace sweepscope::ui {

/// Exponential moving average of a growing series, debiased for its first samples (as TensorBoard draws it). NaN and
/// infinities are left out: the raw curve shows them.
class SmoothedSeries {
public:
    explicit SmoothedSeries(double weight);
    /// Take the samples that `source` got since the last call; always the same source.
    const series::Series &update(const series::Series &source);

private:
    double m_weight;
    double m_sum = 0;
    double m_weightSum = 0;
    std::size_t m_taken = 0;
    series::Series m_series;
};

/// Mean, minimum and maximum over ranks, step by step. A step counts once every rank has said it; a rank that fell
/// silent is waited for until the others are `patience` ahead of it (in the feeds' own time), and no longer once
/// `finished`.
class RankAggregate {
public:
    RankAggregate();
    void update(const std::vector<const series::Series *> &ranks, bool finished);

    const series::Series &mean() const { return m_mean; }
    const series::Series &minimum() const { return m_minimum; }
    const series::Series &maximum() const { return m_maximum; }

private:
    bool takeStep(const std::vector<const series::Series *> &ranks, bool finished);

    std::vector<std::size_t> m_next;
    series::Series m_mean;
    series::Series m_minimum;
    series::Series m_maximum;
};

}  // namespace sweepscope::ui
