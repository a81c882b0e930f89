#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"
#include "engine/preparedsweep.h"
#include "importing/joinedsweeps.h"

#include <filesystem>
#include <vector>

/// Writes the trials of several sweeps as those of one (importing/joinedsweeps.h).
namespace sweepscope::engine {

/// Reads the trials from the database and links the files of their attempts, except checkpoints, into `join.folder`. May run on
/// any thread. Removes the folder if it fails. BadInput: the sweeps cannot be joined.
Expected<void> prepareJoin(const WorkspaceLayout &workspace, const std::vector<sweep::SweepRecord> &sweeps,
                           const importing::JoinChoice &choice, PreparedSweep &join);

}  // namespace sweepscope::engine
