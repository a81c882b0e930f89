#pragma once

#include "ui/analysis/analysisfigure.h"

#include <QString>

#include <map>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// What is chosen on axes, in positions from 0 to 1, by the axis' id.
using AxisRanges = std::map<QString, std::pair<double, double>>;

/// For each row whether it is within all of them.
std::vector<char> rowsWithin(const AnalysisFigure &figure, const AxisRanges &ranges);

/// The same values on the axes of a newer figure; ranges of axes that it does not have are left out.
AxisRanges carriedOver(const AxisRanges &ranges, const AnalysisFigure &from, const AnalysisFigure &to);

/// What the table of trials is filtered with (TrialFilter) to show just the trials within the ranges: numbers as short as
/// they can be without taking another trial in.
QString filterText(const AnalysisFigure &figure, const AxisRanges &ranges);

}  // namespace sweepscope::ui
