#pragma once

#include <QColor>
#include <QPalette>

namespace sweepscope::ui {

/// Colours of a plot apart from its curves. Ask again after QEvent::PaletteChange.
struct PlotColors {
    QColor background;
    QColor grid;
    QColor subGrid;
    QColor axis;        ///< axis line and ticks
    QColor text;        ///< titles and legend
    QColor subtleText;  ///< tick labels
    QColor cursor;      ///< the vertical line under the pointer
    QColor selection;   ///< a dragged range, translucent
    QColor gap;         ///< where records were lost, translucent
};

PlotColors plotColors(const QPalette &palette);

}  // namespace sweepscope::ui
