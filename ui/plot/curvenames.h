#pragma once

#include <QColor>
#include <QString>

namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

/// "rank 0", "GPU 1", "mean": for use next to a value.
QString curveName(const PlotPanel &panel, const PlotCurve &curve);
/// "trial 12", the name of its curve next to other trials'.
QString trialCurveName(int trial);
/// Of a curve that has a name.
QColor curveColor(const PlotCurve &curve);
/// For use without other explanation: "median of the ranks, band between the quartiles".
QString fullCurveName(const PlotPanel &panel, const PlotCurve &curve);

}  // namespace sweepscope::ui
