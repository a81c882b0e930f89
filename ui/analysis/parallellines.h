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

/// Where the axes stand, in the pixels of who paints.
struct ParallelPlaces {
    std::vector<int> axes;   ///< of the figure, from left to right
    std::vector<double> xs;  ///< of each
    double top = 0;          ///< position 1
    double bottom = 0;       ///< position 0

    double yOf(double position) const { return bottom + (top - bottom) * position; }
    double positionAt(double y) const { return (y - bottom) / (top - bottom); }
    bool operator==(const ParallelPlaces &) const = default;
};

struct LinesRequest {
    FigurePtr figure;
    ParallelPlaces places;
    std::vector<char> within;  ///< of each row: the others are faint
    QSize size;
    double ratio = 1;
    bool onDark = false;
    QColor faint;
    int most = 0;  ///< lines, evenly chosen; 0: all
};

/// Is asked now and then while lines are drawn, with the share that is done. False ends the drawing.
using LinesProgress = std::function<bool(double share)>;

/// Draws a line per trial, the best on top, on a transparent ground. Null if `goOn` ended it. On any thread.
QImage linesImage(const LinesRequest &request, const LinesProgress &goOn);

/// Draws the same with a painter; size, ratio and most do not matter. False if `goOn` ended it. On any thread.
bool paintLines(QPainter *painter, const LinesRequest &request, const LinesProgress &goOn);
/// As lines where they are few and the painter makes vectors, else as an image: thousands of lines with a painter take seconds.
bool paintLinesOrImage(QPainter *painter, const LinesRequest &request, bool asVectors, const LinesProgress &goOn);

/// One trial's corners, on each axis one.
std::vector<QPointF> lineOf(const AnalysisFigure &figure, const ParallelPlaces &places, int row);

}  // namespace sweepscope::ui
