#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// Set stars, tags and notes. They do not affect how anything runs, so finished sweeps and their trials can be marked too.
Decided markSweep(const SweepView &view, const sweep::MarkChange &change);
Decided markTrials(const SweepView &view, const std::vector<int> &numbers, const sweep::MarkChange &change);

}  // namespace sweepscope::engine
