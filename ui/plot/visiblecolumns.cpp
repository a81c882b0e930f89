#include "ui/plot/visiblecolumns.h"

#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

/// The number of points before the view equals that of columns, or half of it: rare samples are further away.
std::vector<series::Column> columnsBefore(const series::Series &series, const series::ColumnQuestion &view, int size,
                                          double before)
{
    const double start = series.extent(view.axis).first;
    const double last = std::nextafter(before, -std::numeric_limits<double>::infinity());
    for (double width = (view.to - view.from) / view.columns * size;; width *= 2) {
        std::vector<series::Column> columns = series.columns(view.axis, before - width, last, size);
        if (2 * columns.size() >= static_cast<std::size_t>(size) || before - width < start)
            return columns;
    }
}

}  // namespace

std::vector<series::Column> VisibleColumns::of(const series::Series &series, const series::ColumnQuestion &view,
                                               int context)
{
    Curve &curve = m_curves[&series];
    curve.requested = true;
    const std::vector<series::Column> &columns = curve.columns.of(series, view);
    if (context == 0 || columns.empty() || columns.front().x >= view.from)
        return columns;
    update(curve.context, series, view, context, columns.front().x);
    std::vector<series::Column> all;
    all.reserve(curve.context.columns.size() + columns.size());
    all.insert(all.end(), curve.context.columns.begin(), curve.context.columns.end());
    all.insert(all.end(), columns.begin(), columns.end());
    return all;
}

void VisibleColumns::update(Context &context, const series::Series &series, const series::ColumnQuestion &view,
                            int size, double before)
{
    // Earlier data does not change, unless x goes back.
    if (context.history == series.history() && context.view == view && context.size == size && context.before == before
        && !series.goesBack(view.axis))
        return;
    context = {series.history(), view, size, before, columnsBefore(series, view, size, before)};
}

void VisibleColumns::endFrame()
{
    std::erase_if(m_curves, [](const auto &one) { return !one.second.requested; });
    for (auto &[series, curve] : m_curves)
        curve.requested = false;
}

}  // namespace sweepscope::ui
