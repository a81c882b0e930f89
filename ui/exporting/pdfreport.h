#pragma once

#include "exporting/sweepexport.h"

#include <filesystem>
#include <vector>

namespace sweepscope::ui {

/// Writes the sweep as a PDF on A4: best trial and definition, curves of the objective, importance of parameters, results of
/// the best trials, and findings. Secrets of the definition are masked. May be called by any thread. Corrupt: a feed is
/// damaged, and its readable part was written. Unavailable: stopped by `progress`.
Expected<void> writePdfReport(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                              const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                              const exporting::Progress &progress);

}  // namespace sweepscope::ui
