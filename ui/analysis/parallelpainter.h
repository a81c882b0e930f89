#pragma once

#include "ui/analysis/axisranges.h"
#include "ui/analysis/parallellines.h"

#include <QFont>
#include <QPalette>
#include <QString>

#include <optional>

class QPainter;

namespace sweepscope::ui {

/// Parallel coordinates without the lines, which a thread draws (linesImage()).
struct ParallelScene {
    const AnalysisFigure &figure;
    const ParallelPlaces &places;
    const AxisRanges &ranges;
    int width = 0;
    bool titlesInTwoRows = false;
    std::optional<QString> chosenAxis{};  ///< id
    bool hasFocus = false;
    std::optional<double> dropX{};  ///< where an axis is being dragged
    QPalette palette;
    QFont font;
};

/// Draws the axes with ticks, titles and ranges, and the colour scale of the target's axis.
void paintAxes(QPainter *painter, const ParallelScene &scene);

/// Emphasizes a trial's line; `withValues` adds a dot on each axis.
void paintTrial(QPainter *painter, const ParallelScene &scene, int trial, bool withValues);

}  // namespace sweepscope::ui
