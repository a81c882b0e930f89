#pragma once

#include "ui/analysis/analysisfigure.h"

#include <QString>
#include <QVariantMap>

#include <map>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// The selected ranges, in positions from 0 to 1, by axis id.
using AxisRanges = std::map<QString, std::pair<double, double>>;

/// Returns for each row whether it is within all ranges.
std::vector<char> rowsWithin(const AnalysisFigure &figure, const AxisRanges &ranges);

/// Converts ranges to the axes of a newer figure, with the same values; ranges of missing axes are left out.
AxisRanges carriedOver(const AxisRanges &ranges, const AnalysisFigure &from, const AnalysisFigure &to);

/// Ranges for the settings, and back on the axes of another figure. Ranges of axes that are missing or have another scale are left
/// out.
QVariantMap storedRanges(const AnalysisFigure &figure, const AxisRanges &ranges);
AxisRanges restoredRanges(const AnalysisFigure &figure, const QVariantMap &stored);

/// Returns the filter (TrialFilter) for the table that matches just the trials within the ranges. Its numbers are as
/// short as possible without matching other trials.
QString filterText(const AnalysisFigure &figure, const AxisRanges &ranges);

}  // namespace sweepscope::ui
