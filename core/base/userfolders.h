#pragma once

#include <filesystem>

namespace sweepscope {

/// Returns the folder that an environment variable names; empty if it is unset or not an absolute path.
std::filesystem::path folderFromEnvironment(const char *variable);

/// Returns the folder of the user's data: $XDG_DATA_HOME, else ~/.local/share.
std::filesystem::path userDataFolder();

}  // namespace sweepscope
