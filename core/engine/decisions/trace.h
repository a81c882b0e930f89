#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// Asks the ranks of running trials to record their next steps with a profiler. Trials that do not run are skipped.
Decided traceTrials(const SweepView &view, const std::vector<int> &numbers, int steps);

}  // namespace sweepscope::engine
