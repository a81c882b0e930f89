#pragma once

#include "exporting/reportedrun.h"
#include "exporting/sweepexport.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace sweepscope::exporting {

/// Writes the sweep as one HTML file for readers without Sweepscope: table of trials, curves of the objective, scatter
/// plots, importance of parameters, findings, failures, definition, and the code and environment of `run`.
///
/// The file loads nothing, and its policy allows no script but its own. Secrets of the definition are masked. Curves are
/// reduced (PointThinner) so that all of them together have at most about 100,000 points. "-" is standard output. Errors as of
/// exportCurves().
Expected<void> exportHtml(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                          const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                          const std::optional<ReportedRun> &run = {}, const sweep::CostFactors &factors = {},
                          const Progress &progress = {});

}  // namespace sweepscope::exporting
