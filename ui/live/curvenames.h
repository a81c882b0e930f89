#pragma once

#include <QString>

namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

/// "rank 0", "GPU 1", "mean": beside a value.
QString curveName(const PlotPanel &panel, const PlotCurve &curve);
/// Where nothing else says what it is: "median of the ranks, band between the quartiles".
QString fullCurveName(const PlotPanel &panel, const PlotCurve &curve);

}  // namespace sweepscope::ui
