#pragma once

#include "engine/objectivetracker.h"
#include "engine/trialrow.h"

/// What a trial's row keeps of the reports of its attempts.
namespace sweepscope::engine {

/// What attempt `number` may continue. If it began under another engine, the row may include reports of its own: to read
/// them again changes nothing.
ReportedPast pastOf(const TrialRow &row, int number);

/// The row of a trial whose last attempt has reported this. False if that changes nothing. `endsAtItsSteps`: if not, as in
/// a probe, the share of its steps says nothing of how long the trial takes.
bool takeReports(TrialRow &row, const ObjectiveTracker &objective, bool endsAtItsSteps);

}  // namespace sweepscope::engine
