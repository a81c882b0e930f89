#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// The changes after which each trial has the mean of its point (TrialRecord::pointMean): of all points, or of that of one
/// trial. Without `search.repeats` no trial has one.
Decision meanChanges(const SweepView &view);
Decision meanChanges(const SweepView &view, int trial);

}  // namespace sweepscope::engine
