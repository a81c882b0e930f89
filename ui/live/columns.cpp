#include "ui/live/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

double xOf(const series::Sample &sample, series::XAxis axis)
{
    return axis == series::XAxis::Step ? static_cast<double>(sample.step) : static_cast<double>(sample.timeNs) * 1e-9;
}

series::Column columnOf(const series::Sample &sample, series::XAxis axis)
{
    const double value = sample.value;
    return {xOf(sample, axis), value, value, value, value, 1, !std::isfinite(value)};
}

/// Index of the first sample at or beyond `x`. Steps may go backwards: then it is some index, and the caller looks
/// twice.
std::size_t firstFrom(const std::vector<series::Sample> &samples, series::XAxis axis, double x)
{
    std::size_t low = 0;
    std::size_t high = samples.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (xOf(samples[middle], axis) < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace

std::vector<series::Column> columnsWithNeighbours(const series::Series &series, series::XAxis axis, double from,
                                                  double to, int columns)
{
    std::vector<series::Column> result = series.columns(axis, from, to, columns);
    const std::vector<series::Sample> &samples = series.samples();
    const std::size_t first = firstFrom(samples, axis, from);
    if (first > 0 && xOf(samples[first - 1], axis) < from)
        result.insert(result.begin(), columnOf(samples[first - 1], axis));
    const std::size_t last = firstFrom(samples, axis, std::nextafter(to, std::numeric_limits<double>::infinity()));
    if (last < samples.size() && xOf(samples[last], axis) > to)
        result.push_back(columnOf(samples[last], axis));
    return result;
}

std::vector<series::Column> spreadBand(const std::vector<series::Column> &minimum,
                                       const std::vector<series::Column> &maximum)
{
    std::vector<series::Column> band;
    const std::size_t count = std::min(minimum.size(), maximum.size());
    band.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        series::Column column = minimum[i];
        column.max = maximum[i].max;
        column.hasNonFinite = minimum[i].hasNonFinite || maximum[i].hasNonFinite;
        band.push_back(column);
    }
    return band;
}

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
    const auto after = std::upper_bound(columns.begin(), columns.end(), x,
                                        [](double value, const series::Column &column) { return value < column.x; });
    return after == columns.begin() ? nullptr : &*std::prev(after);
}

}  // namespace sweepscope::ui
