#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// Of trials, or without numbers of the whole sweep. Running trials are not affected.
Decided setPriority(const SweepView &view, const std::vector<int> &numbers, int priority);

}  // namespace sweepscope::engine
