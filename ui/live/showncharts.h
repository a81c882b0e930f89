#pragma once

#include "ui/live/panelview.h"
#include "ui/live/plotframe.h"

#include <QString>

#include <vector>

namespace sweepscope::ui {

/// A chart that a frame has something of, in its place.
struct ShownChart {
    QString id;
    const PlotPanel *panel;  ///< in the frame
    PanelKind kind;
    int row;  ///< from 0, without gaps
};

/// Row by row, each from the left. A trial need not have all charts that are wanted; where it has none, there is the one
/// of the chosen series.
std::vector<ShownChart> shownCharts(const PlotFrame &frame);

}  // namespace sweepscope::ui
