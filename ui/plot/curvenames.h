#pragma once

#include <QColor>
#include <QString>

namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

/// "rank 0", "GPU 1", "mean": for use next to a value.
QString curveName(const PlotPanel &panel, const PlotCurve &curve);
/// "trial 12", the name of its curve next to other trials'; "digits · trial 12" if it is of another sweep.
QString trialCurveName(int trial, const QString &sweep = {});
/// Of a curve that has a name.
QColor curveColor(const PlotCurve &curve);
/// For use without other explanation: "median of the ranks, band between the quartiles".
QString fullCurveName(const PlotPanel &panel, const PlotCurve &curve);

}  // namespace sweepscope::ui
