#pragma once

#include "series/column.h"
#include "series/series.h"

#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The values that determine axes and marks of a curve, computed ahead so that the GUI thread need not visit the
/// columns of every frame.
struct CurveExtent {
    double from = 0;  ///< the range of x of `all` and `positive`
    double to = 0;
    std::pair<double, double> all;       ///< valueRange()
    std::pair<double, double> positive;  ///< valueRange() above zero
    bool hasNonFinite = false;           ///< of any column, also outside of the range
    bool hasNegative = false;            ///< a column, also outside of the range, reaches zero or below
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
