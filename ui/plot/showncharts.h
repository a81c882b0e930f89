#pragma once

#include "ui/plot/panelview.h"
#include "ui/plot/plotframe.h"

#include <QString>

#include <vector>

namespace sweepscope::ui {

/// A chart with data in a frame, and its place.
struct ShownChart {
    QString id;
    const PlotPanel *panel;  ///< points into the frame
    PanelKind kind;
    int row;  ///< from 0, without gaps
};

/// In reading order. A trial may lack some of the requested charts; if it lacks all, returns the one of the selected
/// series.
std::vector<ShownChart> shownCharts(const PlotFrame &frame);

}  // namespace sweepscope::ui
