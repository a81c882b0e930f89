#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// Sets stars, tags and notes. They do not affect how trials run, so trials of finished sweeps can be marked too.
Decided markTrials(const SweepView &view, const std::vector<int> &numbers, const sweep::MarkChange &change);

}  // namespace sweepscope::engine
