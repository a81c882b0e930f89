#pragma once

#include "diagnosis/evidence.h"
#include "diagnosis/finding.h"

#include <QString>

#include <optional>
#include <vector>

class QPainter;
class QPalette;
class QRectF;

namespace sweepscope::ui {

/// Lowest and highest value of a column of pixels, with its time as a share of the plot's range.
struct PlotColumn {
    float at = 0;
    float low = 0;
    float high = 0;
    bool notFinite = false;  ///< some of its values were NaN or infinite; low and high are NaN when all were
};

/// The series that a finding is about, around its window: a few kilobytes, whatever the history's length.
struct FindingPlot {
    QString series;
    QString unit;
    std::vector<PlotColumn> main;                 ///< of the rank or device that is named, else of the first
    std::vector<std::vector<PlotColumn>> others;  ///< of some of the others, for comparison
    WallNs from = 0;
    WallNs to = 0;
    double windowFrom = 0;  ///< shares of the range
    double windowTo = 1;

    bool isEmpty() const { return main.empty(); }
};

/// Empty, where there is no series that shows it.
FindingPlot makePlot(const diagnosis::Finding &finding, const diagnosis::AttemptEvidence &evidence);

/// Of the curve that it is about; empty when it has no finite value.
std::optional<std::pair<double, double>> valueRange(const FindingPlot &plot);

/// The window is shaded, the others are faint, and what is not finite is a mark at the upper edge.
void paintPlot(QPainter *painter, const QRectF &area, const FindingPlot &plot, const QPalette &palette);

}  // namespace sweepscope::ui
