#pragma once

#include "ui/live/plotpicture.h"

#include <QString>

#include <optional>

namespace sweepscope::ui {

class LivePlot;

/// One of the plot's charts as it looks now, with a time axis of its own, and large enough for a picture. What becomes of
/// the plot afterwards changes nothing of it. None: it is not among them.
std::optional<PictureSheet> sheetOfChart(const LivePlot &plot, const QString &id, const QString &title);

/// "GPU utilization · trial 7" as a part of a file's name: "GPU-utilization-trial-7".
QString fileNameOfChart(const QString &title);

}  // namespace sweepscope::ui
