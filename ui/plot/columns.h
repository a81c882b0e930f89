#pragma once

#include "series/column.h"
#include "series/series.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// Axes of QCustomPlot end at 1e250, and logarithmic ones where the ratio of their ends is infinite.
inline constexpr double largestOnAxis = 1e200;
inline constexpr double leastOnLogAxis = 1e-60;

/// Whether axes can show the value. Others are marked at the edge.
inline bool isShown(double value, bool logarithmic)
{
    return value <= largestOnAxis && value >= (logarithmic ? leastOnLogAxis : -largestOnAxis);
}

/// Whether a line can lead to the value, perhaps beyond the edge.
inline bool isDrawn(double value, bool logarithmic)
{
    return std::isfinite(value) && (!logarithmic || value >= leastOnLogAxis);
}

/// Whether the column has values above all that axes can show.
inline bool isAboveAxes(const series::Column &column)
{
    return column.hasFinite() && column.max > largestOnAxis;
}

/// Whether the column has values below all that axes can show.
inline bool isBelowAxes(const series::Column &column)
{
    return column.hasFinite() && column.min < -largestOnAxis;
}

/// Whether the column reaches below a logarithmic axis.
inline bool isBelowLog(const series::Column &column)
{
    return column.hasFinite() && !isShown(column.min, true) && column.min < 1;
}

/// The values that determine axes and marks of a curve, computed ahead so that the GUI thread need not visit the
/// columns of every frame.
struct CurveExtent {
    double from = 0;  ///< the range of x of `all` and `positive`
    double to = 0;
    std::pair<double, double> all;       ///< valueRange()
    std::pair<double, double> positive;  ///< valueRange() above zero
    bool hasMore = false;                ///< any column, also outside of the range, has values that are not on axes
    bool hasNegative = false;            ///< a column, also outside of the range, reaches below a logarithmic axis
};

/// Of a curve that has both kinds of columns.
CurveExtent extentOf(const std::vector<series::Column> &columns, const std::vector<series::Column> &raw, double from,
                     double to);

/// Returns min and max of the drawable values of the columns with x in [from, to], or of the line across the range if
/// there is none; only values above zero if `positive`. first > second if there is no value.
std::pair<double, double> valueRange(const std::vector<series::Column> &columns, double from, double to, bool positive);

/// Returns the last reported value.
std::optional<double> newestValue(const series::Series &series);

/// Whether the line of the columns passes through this box of x and values.
bool passesThrough(const std::vector<series::Column> &columns, const std::pair<double, double> &x,
                   const std::pair<double, double> &values);

/// Shifts columns along the axis.
void moveBy(std::vector<series::Column> &columns, double offset);

/// Returns the column at `x`: the last one that begins at or before it, in the newest segment that has one; null if
/// there is none.
const series::Column *columnAt(const std::vector<series::Column> &columns, double x);

}  // namespace sweepscope::ui
