#pragma once

#include <QColor>
#include <QPalette>

namespace sweepscope::ui {

/// What a plot needs beside its curves. Ask again when the widget gets QEvent::PaletteChange.
struct PlotColors {
    QColor background;
    QColor grid;
    QColor subGrid;
    QColor axis;        ///< axis line and ticks
    QColor text;        ///< titles and legend
    QColor subtleText;  ///< tick labels
    QColor cursor;      ///< the vertical line under the pointer
    QColor selection;   ///< a dragged range, with alpha
    QColor gap;         ///< where records were lost, with alpha
};

PlotColors plotColors(const QPalette &palette);

}  // namespace sweepscope::ui
