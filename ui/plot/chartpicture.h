#pragma once

#include "ui/plot/plotpicture.h"

#include <QString>

#include <optional>

namespace sweepscope::ui {

class LivePlot;

/// Returns the picture of a chart in its current state, with a time axis and of sufficient size. Later changes of the
/// plot do not affect it. nullopt if there is no such chart.
std::optional<PictureSheet> sheetOfChart(const LivePlot &plot, const QString &id, const QString &title,
                                         const PictureShape &shape = {});
/// Returns that of all charts, in another shape than on screen.
PictureSheet sheetOfCharts(const LivePlot &plot, const QString &title, const PictureShape &shape);

/// Returns "GPU utilization · trial 7" as part of a file name: "GPU-utilization-trial-7".
QString fileNameOfChart(const QString &title);

}  // namespace sweepscope::ui
