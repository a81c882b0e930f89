#pragma once

#include "ui/analysis/axisranges.h"
#include "ui/analysis/parallellines.h"

#include <QFont>
#include <QPalette>
#include <QString>

#include <optional>

class QPainter;

namespace sweepscope::ui {

/// Parallel coordinates without their lines, which are drawn on another thread (linesImage()).
struct ParallelScene {
    const AnalysisFigure &figure;
    const ParallelPlaces &places;
    const AxisRanges &ranges;
    int width = 0;
    bool titlesInTwoRows = false;
    std::optional<QString> chosenAxis{};  ///< id
    bool hasFocus = false;
    std::optional<double> dropX{};  ///< where an axis is dragged to
    QPalette palette;
    QFont font;
};

/// The axes with ticks, titles and ranges, and the colors along the axis of the value.
void paintAxes(QPainter *painter, const ParallelScene &scene);

/// Emphasizes the line of one trial; `withValues` adds a dot on each axis.
void paintTrial(QPainter *painter, const ParallelScene &scene, int trial, bool withValues);

}  // namespace sweepscope::ui
