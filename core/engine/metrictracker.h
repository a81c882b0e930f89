#pragma once

#include "feed/records.h"
#include "sweep/metricvalue.h"

#include <utility>
#include <vector>

namespace sweepscope::engine {

/// Tracks the metrics other than the objective from rank 0's feeds: the newest value and the range of each. The cost of
/// a point does not depend on how many there were.
class MetricTracker {
public:
    /// `past`: the values of the attempts that this one may continue.
    explicit MetricTracker(std::vector<sweep::MetricValue> past = {}) : m_values(std::move(past)) {}

    /// Call if the attempt continues no other.
    void dropPast() { m_values.clear(); }
    void series(const feed::SeriesDeclaration &declaration);
    void point(const feed::Point &point);
    /// In the order of their first report; at most sweep::mostMetrics.
    const std::vector<sweep::MetricValue> &values() const { return m_values; }

private:
    static constexpr int none = -1;
    struct Series {
        std::string name;  ///< empty: not tracked
        int value = none;  ///< index in m_values; none until its first point
    };
    std::vector<Series> m_series;  ///< by id
    std::vector<sweep::MetricValue> m_values;
};

}  // namespace sweepscope::engine
