#pragma once

#include "ui/analysis/analysisfigure.h"

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QSize>

#include <atomic>
#include <memory>
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

/// Counts the requests: drawing ends early when there is a newer one.
using LinesRevision = std::shared_ptr<std::atomic<quint64>>;

/// A line per trial, the best on top, on nothing. Null: something newer is wanted by now. On any thread.
QImage linesImage(const LinesRequest &request, const LinesRevision &newest, quint64 revision);

/// The same as vectors; size, ratio and most do not matter.
void paintLines(QPainter *painter, const LinesRequest &request);

/// One trial's corners, on each axis one.
std::vector<QPointF> lineOf(const AnalysisFigure &figure, const ParallelPlaces &places, int row);

}  // namespace sweepscope::ui
