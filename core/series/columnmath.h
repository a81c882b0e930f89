#pragma once

#include "series/column.h"

#include <span>
#include <vector>

/// What is derived from curves for a picture of them, at the cost of the picture: from columns, not from samples.
namespace sweepscope::series {

/// Exponential moving average of the columns' means, debiased for its first values, as TensorBoard draws it (Adam's
/// correction, Kingma & Ba 2015): a column is one point, so where columns are samples this is their average. `weight`
/// of the past, 0 to 1. Starts again at every segment. Columns without a number stay as they are, and do not count.
std::vector<Column> smoothed(const std::vector<Column> &columns, double weight);

/// How many columns before the first visible one smoothing wants to know, so that it does not start there.
int smoothingContext(double weight, int columns);

/// The pixel columns that several curves were asked for.
struct ColumnGrid {
    double from = 0;
    double to = 0;
    int columns = 0;
};

/// One of several curves.
struct CurveColumns {
    std::vector<Column> columns;  ///< on the grid, perhaps with neighbours
    double until = 0;             ///< a value counts until the next one, and the last one until here
};

enum class Spread {
    Extremes,  ///< mean, and from the lowest to the highest value of any curve
    Quartiles  ///< median, and from the first to the third quartile of the curves (linear interpolation)
};

struct Aggregate {
    std::vector<Column> center;
    std::vector<Column> band;  ///< min and max are its edges
};

/// Over curves, column by column. In a column that has nothing of a curve, its value before holds. Where a curve has
/// several segments in a column, the newest counts.
Aggregate aggregate(std::span<const CurveColumns> curves, const ColumnGrid &grid, Spread spread);

}  // namespace sweepscope::series
