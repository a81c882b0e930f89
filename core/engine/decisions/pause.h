#pragma once

#include "engine/decisions/decision.h"

/// Pauses and resumes a sweep or some of its trials. Trials of the built-in worker save a checkpoint and release their
/// devices; others are frozen and keep them.
namespace sweepscope::engine {

Decided pauseSweep(const SweepView &view);
Decided pauseTrials(const SweepView &view, const std::vector<int> &numbers);
Decided resumeSweep(const SweepView &view);
Decided resumeTrials(const SweepView &view, const std::vector<int> &numbers);

/// Returns whether the trial runs and a pause of it or its sweep was requested before its ranks started.
bool isPauseDue(const SweepView &view, int number);
Decision pauseRunning(const SweepView &view, int number);

/// Returns the effects that bring an attempt in line with its trial's state. Also used by an engine that takes over
/// after a crash.
std::vector<AttemptEffect> effectsOf(const sweep::TrialRecord &trial, const sweep::SweepSpec &spec);

}  // namespace sweepscope::engine
