#pragma once

#include "exporting/sweepexport.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace sweepscope::exporting {

struct TensorBoardChoice {
    bool allRanks = false;
    std::uint64_t mostPoints = 0;  ///< of each curve, as PointThinner chooses them; 0: all
};

/// Writes the curves of the trials as event files (eventfile.h) into a folder for `tensorboard --logdir`:
///
///     FOLDER/                         the parameters and objectives, for the tab HParams
///       trial-0007/                   rank 0 of the attempts that continue one another (sweep/trialchain.h)
///         rank-1/ …                   the other ranks, with `allRanks`
///         attempt-1/ …                an earlier attempt, whose values the trial does not have
///
/// A series is a tag. Trials that have not started have no folder. Values are 32-bit floats. Creates FOLDER; BadInput if
/// it has contents. Other errors as of exportCurves().
Expected<void> exportTensorBoard(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                 const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &folder,
                                 const Progress &progress = {}, const TensorBoardChoice &choice = {});

}  // namespace sweepscope::exporting
