#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "engine/preparedsweep.h"
#include "importing/study.h"
#include "sweep/records.h"

#include <filesystem>
#include <map>
#include <string>

namespace sweepscope::engine {

struct StudyReport {
    std::map<sweep::TrialState, int> trials;
    int unfinished = 0;  ///< trials that were running or waiting, and are left out
};

/// `sweepctl import` writes the results as the only sweep of a temporary workspace, in a folder of the real one. Then the
/// engine moves this sweep to the real workspace. The next engine removes what an interrupted import has left.
std::string newImportName();
bool isImportName(const std::string &untrusted);
/// The folder of this name.
std::filesystem::path importFolder(const WorkspaceLayout &workspace, const std::string &name);

/// Adds the finished trials of the study to a new workspace, as a sweep that has ended: parameters, results, times, and the
/// curves as those of rank 0. `baseFolder`: of the sweep's relative paths.
Expected<StudyReport> importStudy(const WorkspaceLayout &workspace, importing::Study study,
                                  const std::filesystem::path &baseFolder);

/// Reads the sweep in `prepared.folder`. May run on any thread.
Expected<void> prepareImport(PreparedSweep &prepared);

}  // namespace sweepscope::engine
