#pragma once

#include "base/workspacelayout.h"
#include "engine/storereader.h"
#include "sweep/trialhistory.h"

namespace sweepscope::engine {

/// Returns the history of a trial and what each of its attempts ran, from the database and the attempts' folders. Trial
/// 0: of the sweep and all its trials, without attempts.
Expected<sweep::TrialHistory> readTrialHistory(StoreReader &reader, const WorkspaceLayout &workspace,
                                               const sweep::SweepRecord &sweep, int trial);

}  // namespace sweepscope::engine
