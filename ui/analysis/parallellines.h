#pragma once

#include "ui/analysis/analysisfigure.h"

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QSize>

#include <functional>
#include <vector>

class QPainter;

namespace sweepscope::ui {

/// Where the axes are, in the painter's pixels.
struct ParallelPlaces {
    std::vector<int> axes;   ///< indexes in the figure, from left to right
    std::vector<double> xs;  ///< of each axis
    double top = 0;          ///< of position 1
    double bottom = 0;       ///< of position 0

    double yOf(double position) const { return bottom + (top - bottom) * position; }
    double positionAt(double y) const { return (y - bottom) / (top - bottom); }
    bool operator==(const ParallelPlaces &) const = default;
};

struct LinesRequest {
    FigurePtr figure;
    ParallelPlaces places;
    std::vector<char> within;  ///< of each row; the others are faint
    QSize size;
    double ratio = 1;
    bool onDark = false;
    QColor faint;
    int most = 0;  ///< maximum number of lines, evenly chosen; 0: all
};

/// Called from time to time with the share done. Returning false cancels the drawing.
using LinesProgress = std::function<bool(double share)>;

/// Draws a line per trial, the best on top, on a transparent background. Returns null if `goOn` cancelled it. Callable
/// on any thread.
QImage linesImage(const LinesRequest &request, const LinesProgress &goOn);

/// Draws the same with a painter; ignores size, ratio and most. Returns false if `goOn` cancelled it. Callable on any
/// thread.
bool paintLines(QPainter *painter, const LinesRequest &request, const LinesProgress &goOn);
/// Draws vectors if the lines are few and the painter supports it, otherwise an image: painting thousands of lines
/// takes seconds.
bool paintLinesOrImage(QPainter *painter, const LinesRequest &request, bool asVectors, const LinesProgress &goOn);

/// Returns the corners of a trial's line, one per axis.
std::vector<QPointF> lineOf(const AnalysisFigure &figure, const ParallelPlaces &places, int row);

}  // namespace sweepscope::ui
