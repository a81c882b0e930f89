#pragma once

#include "series/column.h"

#include <utility>
#include <vector>

namespace sweepscope::ui {

/// Whether the column has any value that a line can be drawn through.
bool isFinite(const series::Column &column);

/// Lowest and highest drawable value of the columns whose x lies in [from, to]; above zero only, where `positive` says
/// so. first > second: there is none.
std::pair<double, double> valueRange(const std::vector<series::Column> &columns, double from, double to, bool positive);

/// The column at `x`: the last one that begins at or before it, in the newest segment that has one. Null: none.
const series::Column *columnAt(const std::vector<series::Column> &columns, double x);

}  // namespace sweepscope::ui
