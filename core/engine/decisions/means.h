#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// Returns the changes that set the mean of its point (TrialRecord::pointMean) in each trial: for all points, or for
/// the point of one trial. Trials have no mean without `search.repeats`.
Decision meanChanges(const SweepView &view);
Decision meanChanges(const SweepView &view, int trial);

}  // namespace sweepscope::engine
