#pragma once

#include "series/column.h"
#include "series/columnmath.h"

#include <QtGlobal>

#include <array>
#include <string_view>
#include <vector>

namespace sweepscope::ui {

/// A part of a step's time, reported by ranks in seconds.
struct StepPart {
    std::string_view series;
    const char *name;  ///< for display, translated in the context "StepParts"
};

/// Consecutive parts of a step; the rest of "step_time" is shown as "other".
inline constexpr std::array stepParts{
    StepPart{"data_wait", QT_TRANSLATE_NOOP("StepParts", "data wait")},
    StepPart{"compute_time", QT_TRANSLATE_NOOP("StepParts", "compute")},
    StepPart{"comm_wait", QT_TRANSLATE_NOOP("StepParts", "communication")},
};

/// Stacked parts: lower and upper edge of each, as min and max. `parts` and `whole` are on the grid, or empty; a
/// missing column takes the previous value. The last edges are those of the part of the whole beyond all parts: empty
/// without a whole, or where it has no column.
struct Stack {
    std::vector<std::vector<series::Column>> edges;
    std::vector<series::Column> other;  ///< the rest beyond the parts, by itself
};
/// Returns the part of the whole beyond its parts; 0 if it is a rounding error.
double beyond(double whole, double parts);
Stack stacked(const std::vector<std::vector<series::Column>> &parts, const std::vector<series::Column> &whole,
              const series::ColumnGrid &grid);

}  // namespace sweepscope::ui
