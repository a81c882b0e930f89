#pragma once

#include "sweep/sweepspec.h"

#include <QString>

namespace sweepscope::ui {

/// The values that a dimension stands for, in `shortForm` for a table cell ("0.001, 0.0046, … 0.1 (20 values)") or all
/// that fit into a tool tip with all digits. A random search over a range: the range in words. Empty when it means
/// nothing yet.
QString previewOf(const sweep::Dimension &dimension, sweep::SearchMethod method, bool shortForm);

}  // namespace sweepscope::ui
