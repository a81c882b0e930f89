#pragma once

#include "series/column.h"
#include "series/series.h"

#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// What the axes and marks of a curve go by, so that the window's thread need not go through its columns in every frame.
struct CurveExtent {
    double from = 0;  ///< the range of x that `all` and `positive` are for
    double to = 0;
    std::pair<double, double> all;       ///< valueRange()
    std::pair<double, double> positive;  ///< valueRange() above zero
    bool hasNonFinite = false;           ///< some column, also beyond the range
    bool hasNegative = false;            ///< some column, also beyond the range, reaches zero or below
};

/// Of a curve that consists of both.
CurveExtent extentOf(const std::vector<series::Column> &columns, const std::vector<series::Column> &raw, double from,
                     double to);

/// Lowest and highest drawable value of the columns whose x lies in [from, to], or of the line across it where none does;
/// above zero only, where `positive` says so. first > second: there is none.
std::pair<double, double> valueRange(const std::vector<series::Column> &columns, double from, double to, bool positive);

/// The last one that was reported.
std::optional<double> newestValue(const series::Series &series);

/// Along the axis.
void moveBy(std::vector<series::Column> &columns, double offset);

/// The column at `x`: the last one that begins at or before it, in the newest segment that has one. Null: none.
const series::Column *columnAt(const std::vector<series::Column> &columns, double x);

}  // namespace sweepscope::ui
