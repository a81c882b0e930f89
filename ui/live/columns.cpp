#include "ui/live/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

bool isFinite(const series::Column &column)
{
    return std::isfinite(column.first) && std::isfinite(column.min) && std::isfinite(column.max)
           && std::isfinite(column.last);
}

std::pair<double, double> valueRange(const std::vector<series::Column> &columns, double from, double to, bool positive)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    const auto take = [&](double value) {
        if (!std::isfinite(value) || (positive && value <= 0))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const series::Column &column : columns) {
        if (column.x < from || column.x > to)
            continue;
        for (const double value : {column.first, column.min, column.max, column.last})
            take(value);
    }
    return {low, high};
}

const series::Column *columnAt(const std::vector<series::Column> &columns, double x)
{
    // The newest segment that has anything there.
    auto end = columns.end();
    while (end != columns.begin()) {
        auto begin = std::prev(end);
        while (begin != columns.begin() && !begin->startsSegment)
            --begin;
        const auto after = std::upper_bound(
            begin, end, x, [](double value, const series::Column &column) { return value < column.x; });
        if (after != begin)
            return &*std::prev(after);
        end = begin;
    }
    return nullptr;
}

}  // namespace sweepscope::ui
