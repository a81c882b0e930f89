#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// Sets the priority of trials, or of the whole sweep if `numbers` is empty. Running trials are not affected.
Decided setPriority(const SweepView &view, const std::vector<int> &numbers, int priority);

}  // namespace sweepscope::engine
