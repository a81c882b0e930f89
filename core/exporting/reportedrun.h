#pragma once

#include "exporting/htmlreport.h"

#include <optional>
#include <vector>

namespace sweepscope::exporting {

/// The trial whose run stands for all of a sweep: the first that has started; 0 if there is none.
int reportedTrial(const std::vector<sweep::TrialRecord> &trials);

/// What the last attempt in the history of the trial ran, with its environment and the changes of its code, as far as they
/// are stored here. nullopt if unknown. Runs git.
std::optional<ReportedRun> reportedRun(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep, int trial,
                                       const sweep::TrialHistory &history);

}  // namespace sweepscope::exporting
