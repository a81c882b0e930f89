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

/// Min and max of a column of pixels; its time is a share of the plot's range.
struct PlotColumn {
    float at = 0;
    float low = 0;
    float high = 0;
    bool notFinite = false;  ///< some values were NaN or infinite; low and high are NaN if all were
};

/// The series of a finding around its window: a few kilobytes, whatever the length of the history.
struct FindingPlot {
    QString series;
    QString unit;
    std::vector<PlotColumn> main;                 ///< of the rank or device of the finding, else of the first
    std::vector<std::vector<PlotColumn>> others;  ///< of a few others, for comparison
    WallNs from = 0;
    WallNs to = 0;
    double windowFrom = 0;  ///< as shares of the range
    double windowTo = 1;

    bool isEmpty() const { return main.empty(); }
};

/// Returns an empty plot if no series illustrates the finding.
FindingPlot makePlot(const diagnosis::Finding &finding, const diagnosis::AttemptEvidence &evidence);

/// The range of the main curve; nullopt without a finite value.
std::optional<std::pair<double, double>> valueRange(const FindingPlot &plot);

/// Shades the window, draws the other series faintly, and marks values that are not finite at the top edge.
void paintPlot(QPainter *painter, const QRectF &area, const FindingPlot &plot, const QPalette &palette);

}  // namespace sweepscope::ui
