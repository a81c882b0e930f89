#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "engine/store.h"
#include "importing/joinedsweeps.h"
#include "sweep/trialplan.h"

#include <filesystem>
#include <vector>

/// Writes the trials of several sweeps as those of one (importing/joinedsweeps.h).
namespace sweepscope::engine {

struct PreparedJoin {
    std::filesystem::path files;  ///< a folder that gets those of the new sweep; set by the caller
    sweep::SweepRecord record;    ///< ended
    std::vector<sweep::TrialPlan> plans;
    std::vector<CopiedTrial> trials;  ///< in the same order
};

/// Reads the trials from the database and links the files of their attempts, except checkpoints. May run on any thread. Removes
/// the folder if it fails. BadInput: the sweeps cannot be joined.
Expected<void> prepareJoin(const WorkspaceLayout &workspace, const std::vector<sweep::SweepRecord> &sweeps,
                           const importing::JoinChoice &choice, PreparedJoin &join);

/// Moves what is in the folder to another folder of the same file system.
Expected<void> moveFiles(const std::filesystem::path &from, const std::filesystem::path &to);

}  // namespace sweepscope::engine
