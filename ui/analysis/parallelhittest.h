#pragma once

#include "ui/analysis/parallellines.h"

#include <QPointF>

#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// Pixels within which the end of a range is hit.
inline constexpr double rangeEndTolerance = 6;

/// The axis at a point, as its index from the left; -1 if none.
int axisAt(const ParallelPlaces &places, const QPointF &point);
/// The axis whose title is at a point, as its index from the left; -1 if none.
int titleAt(const ParallelPlaces &places, const QPointF &point);
/// The row whose line is nearest to a point, among those `within` the ranges; -1 if none is near.
int rowAt(const AnalysisFigure &figure, const ParallelPlaces &places, const std::vector<char> &within,
          const QPointF &point);
/// The index that an axis gets which is dragged to `x`.
int dropIndex(const ParallelPlaces &places, int dragged, double x);

/// A range on an axis, in positions from 0 to 1.
using PositionRange = std::pair<double, double>;

/// A drag along an axis: it selects a new range, or moves or resizes the one that is there.
struct RangeDrag {
    enum class Kind { Select, Move, LowEnd, HighEnd };

    Kind kind = Kind::Select;
    double grip = 0;  ///< position at which it began
    PositionRange before{};

    /// Begins at a position; `tolerance` is that of the ends, in positions.
    static RangeDrag from(double position, const std::optional<PositionRange> &range, double tolerance);
    PositionRange rangeAt(double position) const;
};

enum class RangePart { All, LowEnd, HighEnd };

/// Moves a range or one of its ends. It stays on the axis, and at least `smallest` long.
PositionRange moved(const PositionRange &range, RangePart part, double by, double smallest);

}  // namespace sweepscope::ui
