#pragma once

#include "base/workspacelayout.h"
#include "engine/folderremoval.h"
#include "engine/store.h"

#include <atomic>
#include <filesystem>
#include <optional>

/// Archives, restores and deletes sweeps that have ended.
namespace sweepscope::engine {

/// Archives the sweep, or restores it from the archive. Updates `record`.
Reply archiveSweep(Store &store, sweep::SweepRecord &record, bool archived, WallNs now);

struct DeletedSweep {
    facts::Fact reply;
    std::optional<std::filesystem::path> folder;  ///< its files, for FolderRemoval after the deletion is on disk
};

/// Deletes the sweep from the database and renames its folder, both or neither.
tl::expected<DeletedSweep, facts::Fact> deleteSweep(Store &store, const sweep::SweepRecord &record,
                                                    const std::filesystem::path &folder, const FolderRemoval &removal);

/// Removes snapshots of code that only deleted sweeps have used. Blocks until `ending` becomes true at the latest.
void removeUnusedCode(const WorkspaceLayout &workspace, const std::atomic<bool> &ending);

}  // namespace sweepscope::engine
