#pragma once

#include "sweep/sweepspec.h"
#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"

#include <vector>

namespace sweepscope::ui {

/// Returns the dimension of a row of the search space. Appends problems of its cells to `problems`.
sweep::Dimension readDimension(const DimensionDraft &draft, int row, std::vector<PlacedProblem> &problems);

}  // namespace sweepscope::ui
