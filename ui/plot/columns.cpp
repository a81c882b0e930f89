#include "ui/plot/columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

/// Returns the y values where lines between columns outside [from, to] cross its limits.
std::vector<double> crossings(const std::vector<series::Column> &columns, double from, double to)
{
    std::vector<double> values;
    for (std::size_t i = 1; i < columns.size(); ++i) {
        const series::Column &before = columns[i - 1];
        const series::Column &after = columns[i];
        if (after.startsSegment || before.x >= from || after.x <= to)
            continue;
        for (const double x : {from, to})
            values.push_back(before.last + (after.first - before.last) * (x - before.x) / (after.x - before.x));
    }
    return values;
}

}  // namespace

std::pair<double, double> valueRange(const std::vector<series::Column> &columns, double from, double to, bool positive)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    const auto take = [&](double value) {
        if (!isShown(value, positive))
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
    if (low > high) {
        for (const double value : crossings(columns, from, to))
            take(value);
    }
    return {low, high};
}

CurveExtent extentOf(const std::vector<series::Column> &columns, const std::vector<series::Column> &raw, double from,
                     double to)
{
    CurveExtent extent{from, to, valueRange({}, from, to, false), valueRange({}, from, to, true)};
    const auto widen = [](std::pair<double, double> &range, const std::pair<double, double> &other) {
        range = {std::min(range.first, other.first), std::max(range.second, other.second)};
    };
    for (const auto *part : {&columns, &raw}) {
        widen(extent.all, valueRange(*part, from, to, false));
        widen(extent.positive, valueRange(*part, from, to, true));
        for (const series::Column &column : *part) {
            extent.hasMore = extent.hasMore || column.hasNonFinite || isAboveAxes(column) || isBelowAxes(column);
            extent.hasNegative = extent.hasNegative || isBelowLog(column);
        }
    }
    return extent;
}

std::optional<double> newestValue(const series::Series &series)
{
    return series.empty() ? std::nullopt : std::optional(series.back().value);
}

void moveBy(std::vector<series::Column> &columns, double offset)
{
    for (series::Column &column : columns)
        column.x += offset;
}

bool passesThrough(const std::vector<series::Column> &columns, const std::pair<double, double> &x,
                   const std::pair<double, double> &values)
{
    const auto meets = [&values](double low, double high) { return low <= values.second && high >= values.first; };
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const series::Column &column = columns[i];
        if (column.x >= x.first && column.x <= x.second && column.hasFinite() && meets(column.min, column.max))
            return true;
        if (i == 0 || column.startsSegment)
            continue;
        // The line from the column before.
        const series::Column &before = columns[i - 1];
        const double from = std::max(before.x, x.first);
        const double to = std::min(column.x, x.second);
        if (from > to || column.x <= before.x || !before.hasFinite() || !column.hasFinite())
            continue;
        const auto at = [&](double place) {
            return std::lerp(before.last, column.first, (place - before.x) / (column.x - before.x));
        };
        if (meets(std::min(at(from), at(to)), std::max(at(from), at(to))))
            return true;
    }
    return false;
}

const series::Column *columnAt(const std::vector<series::Column> &columns, double x)
{
    // The newest segment with columns in the range.
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
