#pragma once

#include "engine/decisions/decision.h"

/// Stops a sweep or some of its trials.
namespace sweepscope::engine {

Decided stopSweep(const SweepView &view, sweep::StopMode mode, WallNs now);
Decided stopTrials(const SweepView &view, const std::vector<int> &numbers, sweep::StopMode mode, WallNs now);

/// Stops queued trials and paused trials without an attempt, in a sweep that is being stopped.
Decision stopIdleTrials(const SweepView &view, WallNs now);

/// Returns what stopping in this way does to the trial's attempt. Also used by an engine that takes over after a crash.
std::vector<AttemptEffect> stopEffects(const SweepView &view, int number, sweep::StopMode mode);

}  // namespace sweepscope::engine
