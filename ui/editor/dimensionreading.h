#pragma once

#include "sweep/sweepspec.h"
#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"

#include <vector>

namespace sweepscope::ui {

/// The dimension that a row of the search space describes. Problems of its cells are added to `problems`.
sweep::Dimension readDimension(const DimensionDraft &draft, int row, std::vector<PlacedProblem> &problems);

}  // namespace sweepscope::ui
