#pragma once

#include "engine/objectivetracker.h"
#include "engine/trialrow.h"

/// What a trial's row stores of the reports of its attempts.
namespace sweepscope::engine {

/// Returns what attempt `number` may continue. If it began under another engine, the row may already include its
/// reports: reading them again changes nothing.
ReportedPast pastOf(const TrialRow &row, int number);

/// Updates the row with the reports of the trial's last attempt. Returns false if that changes nothing.
/// `endsAtItsSteps`: if false, as in a probe, the share of its steps says nothing about how long the trial takes.
bool applyReports(TrialRow &row, const ObjectiveTracker &objective, bool endsAtItsSteps);

}  // namespace sweepscope::engine
