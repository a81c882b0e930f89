#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// A person has trials run again; without numbers all that failed or were lost. Opens a sweep that had ended.
Decided retryTrials(const SweepView &view, const std::vector<int> &numbers, WallNs now);

}  // namespace sweepscope::engine
