#pragma once

#include "engine/decisions/decision.h"

/// A person stops a sweep or trials of it.
namespace sweepscope::engine {

Decided stopSweep(const SweepView &view, sweep::StopMode mode, WallNs now);
Decided stopTrials(const SweepView &view, const std::vector<int> &numbers, sweep::StopMode mode, WallNs now);

/// Queued and paused trials without an attempt, in a sweep that is being stopped.
Decision stopIdleTrials(const SweepView &view, WallNs now);

/// What stopping in this way does to the trial's attempt. Also for an engine that takes over after a crash.
std::vector<AttemptEffect> stopEffects(const SweepView &view, int number, sweep::StopMode mode);

}  // namespace sweepscope::engine
