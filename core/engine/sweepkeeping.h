#pragma once

#include "engine/folderremoval.h"
#include "engine/store.h"

#include <filesystem>
#include <optional>

/// What becomes of sweeps that have ended: archived, brought back, deleted.
namespace sweepscope::engine {

/// Archives the sweep, or brings it back. `record` is its record from then on.
Reply archiveSweep(Store &store, sweep::SweepRecord &record, bool archived, WallNs now);

struct DeletedSweep {
    facts::Fact reply;
    std::optional<std::filesystem::path> folder;  ///< its files, for FolderRemoval once the database is on disk
};

/// Deletes the sweep from the database and renames its folder, both or neither.
tl::expected<DeletedSweep, facts::Fact> deleteSweep(Store &store, const sweep::SweepRecord &record,
                                                    const std::filesystem::path &folder, const FolderRemoval &removal);

}  // namespace sweepscope::engine
