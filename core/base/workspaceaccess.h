#pragma once

#include "base/error.h"

#include <filesystem>
#include <sys/types.h>

namespace sweepscope {

/// Makes the workspace's folder with mode 0700 where there is none; one that is there keeps its mode. Folders above it
/// get the mode that the user's umask gives.
Expected<void> makeWorkspaceFolder(const std::filesystem::path &root);

/// The umask for what is written into a workspace folder of this mode. Its group may read what is in there if it may
/// read the folder; others may not.
mode_t umaskInside(mode_t workspaceFolder, mode_t usersUmask);

/// Sets the umask of this process for a workspace, and returns the one that it had.
mode_t enterUmaskOf(const std::filesystem::path &root);

}  // namespace sweepscope
