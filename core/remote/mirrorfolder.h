#pragma once

#include "base/error.h"
#include "remote/sshtarget.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope::remote {

/// A folder on this machine that mirrors a workspace on another one, with the same layout. Its engine is that of the
/// other workspace, which its file mirror.toml names.
struct MirrorFolder {
    std::filesystem::path root;
    SshTarget target;  ///< with the workspace as its folder; empty: the default one there
};

/// Returns what this folder mirrors; nullopt if it is an ordinary workspace. BadInput: its mirror.toml is damaged.
Expected<std::optional<MirrorFolder>> mirrorIn(const std::filesystem::path &root);

/// Removes mirrors in the same folder that have not been opened for 30 days. Their files are fetched again when viewed.
void removeUnusedMirrors(const MirrorFolder &current);

/// Returns the folder for a workspace, below $XDG_CACHE_HOME/sweepscope; creates it if it does not exist.
Expected<MirrorFolder> mirrorOf(const SshTarget &target);

}  // namespace sweepscope::remote
