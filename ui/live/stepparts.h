#pragma once

#include "series/column.h"
#include "series/columnmath.h"

#include <QtGlobal>

#include <array>
#include <string_view>
#include <vector>

namespace sweepscope::ui {

/// A part of a step's time, as ranks report it in seconds.
struct StepPart {
    std::string_view series;
    const char *name;  ///< for the person, translated in the context "StepParts"
};

/// One after the other they are a step; what of "step_time" is none of them is told as "other".
inline constexpr std::array stepParts{
    StepPart{"data_wait", QT_TRANSLATE_NOOP("StepParts", "data wait")},
    StepPart{"compute_time", QT_TRANSLATE_NOOP("StepParts", "compute")},
    StepPart{"comm_wait", QT_TRANSLATE_NOOP("StepParts", "communication")},
};

/// Parts on top of each other: of each its lower and upper edge, as min and max. `parts` and `whole` are on the grid, or
/// empty; where one has no column, its value before holds. The last edges are of what the whole has beyond its parts:
/// none without a whole, or where it has no column.
struct Stack {
    std::vector<std::vector<series::Column>> edges;
    std::vector<series::Column> other;  ///< what is beyond the parts, by itself
};
/// What the whole has beyond its parts; nothing, where that is what sums are rounded by.
double beyond(double whole, double parts);
Stack stacked(const std::vector<std::vector<series::Column>> &parts, const std::vector<series::Column> &whole,
              const series::ColumnGrid &grid);

}  // namespace sweepscope::ui
