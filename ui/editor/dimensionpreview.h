#pragma once

#include "sweep/sweepspec.h"

#include <QString>

namespace sweepscope::ui {

/// Returns the values of a dimension: in `shortForm` for a table cell ("0.001, 0.0046, … 0.1 (20 values)"), otherwise
/// with all digits and as many as fit into a tooltip. For a random search over a range, the range in words. Empty if
/// the dimension is invalid.
QString previewOf(const sweep::Dimension &dimension, sweep::SearchMethod method, bool shortForm);

}  // namespace sweepscope::ui
