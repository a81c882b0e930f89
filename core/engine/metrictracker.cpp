#include "engine/metrictracker.h"

#include <cmath>

namespace sweepscope::engine {

void MetricTracker::series(const feed::SeriesDeclaration &declaration)
{
    const std::size_t id = declaration.id;
    if (m_series.size() <= id)
        m_series.resize(id + 1);
    // Bookkeeping is not kept; the id may have stood for another series before.
    m_series[id] = {sweep::isBookkeeping(declaration.name) ? std::string() : declaration.name, none};
}

void MetricTracker::point(const feed::Point &point)
{
    if (point.series >= m_series.size() || m_series[point.series].name.empty())
        return;
    Series &series = m_series[point.series];
    if (series.value == none) {
        if (const sweep::MetricValue *known = sweep::find(m_values, series.name)) {  // declared twice
            series.value = static_cast<int>(known - m_values.data());
        } else if (m_values.size() < sweep::mostMetrics) {
            series.value = static_cast<int>(m_values.size());
            m_values.push_back({.name = series.name});
        } else {
            series.name.clear();
            return;
        }
    }
    sweep::MetricValue &value = m_values[static_cast<std::size_t>(series.value)];
    value.last = point.value;
    value.step = point.step;
    if (!(value.lowest <= point.value))
        value.lowest = std::isnan(point.value) ? value.lowest : point.value;
    if (!(value.highest >= point.value))
        value.highest = std::isnan(point.value) ? value.highest : point.value;
}

}  // namespace sweepscope::engine
