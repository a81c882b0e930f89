#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "importing/study.h"
#include "sweep/records.h"

#include <filesystem>
#include <map>
#include <string>

namespace sweepscope::engine {

struct StudyReport {
    std::string folder;  ///< SweepRecord::folder
    std::map<sweep::TrialState, int> trials;
    int unfinished = 0;  ///< trials that were running or waiting, and are left out
};

/// Adds the finished trials of the study to the workspace, as a sweep that has ended: parameters, results, times, and the
/// curves as those of rank 0. AlreadyExists if an engine runs: it is the only writer. `baseFolder`: of the
/// sweep's relative paths.
Expected<StudyReport> importStudy(const WorkspaceLayout &workspace, importing::Study study,
                                  const std::filesystem::path &baseFolder);

}  // namespace sweepscope::engine
