#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// Runs trials again; all that failed or were lost if `numbers` is empty. Reopens a sweep that has ended.
Decided retryTrials(const SweepView &view, const std::vector<int> &numbers, WallNs now);

}  // namespace sweepscope::engine
