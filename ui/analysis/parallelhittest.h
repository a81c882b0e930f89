#pragma once

#include "ui/analysis/parallellines.h"

#include <QPointF>

#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::ui {

/// Pixels around the end of a range that count as a hit.
inline constexpr double rangeEndTolerance = 6;

/// Returns the axis at a point as an index from the left; -1 if none.
int axisAt(const ParallelPlaces &places, const QPointF &point);
/// Returns the axis whose title is at a point as an index from the left; -1 if none.
int titleAt(const ParallelPlaces &places, const QPointF &point);
/// Returns the row whose line is nearest to a point, among those `within` the ranges; -1 if none is near.
int rowAt(const AnalysisFigure &figure, const ParallelPlaces &places, const std::vector<char> &within,
          const QPointF &point);
/// Returns the new index of an axis that is dragged to `x`.
int dropIndex(const ParallelPlaces &places, int dragged, double x);

/// A range on an axis, in positions from 0 to 1.
using PositionRange = std::pair<double, double>;

/// A drag along an axis: it selects a new range, or moves or resizes the existing one.
struct RangeDrag {
    enum class Kind { Select, Move, LowEnd, HighEnd };

    Kind kind = Kind::Select;
    double grip = 0;  ///< position where it began
    PositionRange before{};

    /// Begins a drag at a position; `tolerance`, in positions, applies to the ends of the range.
    static RangeDrag from(double position, const std::optional<PositionRange> &range, double tolerance);
    PositionRange rangeAt(double position) const;
};

enum class RangePart { All, LowEnd, HighEnd };

/// Moves a range or one of its ends. The result stays on the axis and is at least `smallest` long.
PositionRange moved(const PositionRange &range, RangePart part, double by, double smallest);

}  // namespace sweepscope::ui
