#pragma once

#include <QString>

namespace sweepscope::ui {

struct PlotCurve;
struct PlotPanel;

/// "rank 0", "GPU 1", "mean": for use next to a value.
QString curveName(const PlotPanel &panel, const PlotCurve &curve);
/// For use without other explanation: "median of the ranks, band between the quartiles".
QString fullCurveName(const PlotPanel &panel, const PlotCurve &curve);

}  // namespace sweepscope::ui
