#pragma once

#include "series/series.h"

#include <utility>
#include <vector>

namespace sweepscope::ui {

/// Series::columns for [from, to], and the sample before and the one after it, so that a line reaches the plot's edges
/// however far one zooms in between two samples.
std::vector<series::Column> columnsWithNeighbours(const series::Series &series, series::XAxis axis, double from,
                                                  double to, int columns);

/// From the lowest of `minimum` to the highest of `maximum`, column by column (both of the same samples' times).
std::vector<series::Column> spreadBand(const std::vector<series::Column> &minimum,
                                       const std::vector<series::Column> &maximum);

/// Whether the column has any value that a line can be drawn through.
bool isFinite(const series::Column &column);

/// Lowest and highest drawable value of the columns whose x lies in [from, to]; above zero only, where `positive` says
/// so. first > second: there is none.
std::pair<double, double> valueRange(const std::vector<series::Column> &columns, double from, double to, bool positive);

/// The column at `x`: the last one that begins at or before it. Null: none.
const series::Column *columnAt(const std::vector<series::Column> &columns, double x);

}  // namespace sweepscope::ui
