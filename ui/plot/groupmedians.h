#pragma once

#include "series/column.h"

#include <cstddef>
#include <vector>

namespace sweepscope::ui {

/// The median of curves of a group, on places that all groups share.
struct GroupMedian {
    std::vector<series::Column> median;  ///< `count`: of the curves with a value there; places without any are left out
    std::vector<series::Column> band;    ///< at the same places: from the lower to the upper quartile
};

struct GroupedCurve {
    const std::vector<series::Column> *columns;  ///< sorted by x within each segment
    int group;
};

/// Returns the median of each group. A curve counts from its first to its last point: where a trial has ended early, the
/// median is that of the others. Between two points its value is that of the line between them, and next to NaN or an
/// infinite value it has none. Of repeated steps, the newest attempt counts.
///
/// The places are the points of all curves between `from` and `to`. If these are more than `most`, they are `most`
/// equal distances.
std::vector<GroupMedian> groupMedians(const std::vector<GroupedCurve> &curves, std::size_t groups, double from,
                                      double to, std::size_t most);

}  // namespace sweepscope::ui
