#pragma once

#include "base/error.h"
#include "remote/sshtarget.h"

#include <filesystem>
#include <optional>
#include <string>

namespace sweepscope::remote {

/// A folder on this machine that stands for a workspace on another one: it has the same layout, and its engine is that of
/// the other one. Its file mirror.toml says which.
struct MirrorFolder {
    std::filesystem::path root;
    SshTarget target;  ///< with the workspace as its folder; empty: the default one there
};

/// Returns what this folder mirrors; nullopt if it is an ordinary workspace. BadInput: its mirror.toml is damaged.
Expected<std::optional<MirrorFolder>> mirrorIn(const std::filesystem::path &root);

/// Removes mirrors beside this one that were not opened for 30 days: what they hold is fetched again when it is looked at.
void removeUnusedMirrors(const MirrorFolder &current);

/// Returns the folder for a workspace, below $XDG_CACHE_HOME/sweepscope; creates it if it does not exist.
Expected<MirrorFolder> mirrorOf(const SshTarget &target);

}  // namespace sweepscope::remote
