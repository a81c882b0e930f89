#pragma once

#include "feed/records.h"
#include "sweep/metricvalue.h"

#include <utility>
#include <vector>

namespace sweepscope::engine {

/// The metrics beside the objective, from rank 0's feeds: of each the newest value and the range. A point costs the same
/// however many there were.
class MetricTracker {
public:
    /// `past`: of the attempts that this one may continue.
    explicit MetricTracker(std::vector<sweep::MetricValue> past = {}) : m_values(std::move(past)) {}

    /// The attempt continues none.
    void dropPast() { m_values.clear(); }
    void series(const feed::SeriesDeclaration &declaration);
    void point(const feed::Point &point);
    /// In the order in which they were first reported; at most sweep::mostMetrics.
    const std::vector<sweep::MetricValue> &values() const { return m_values; }

private:
    static constexpr int none = -1;
    struct Series {
        std::string name;  ///< empty: is not followed
        int value = none;  ///< its place in m_values; none until its first point
    };
    std::vector<Series> m_series;  ///< by id
    std::vector<sweep::MetricValue> m_values;
};

}  // namespace sweepscope::engine
