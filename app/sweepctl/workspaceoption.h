#pragma once

#include "base/error.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Sets `workspace` to --workspace DIR, else to SWEEPSCOPE_WORKSPACE, else to the user's default.
void addWorkspaceOption(CLI::App &command, std::string &workspace);

/// Lets `--workspace DIR` come before the command: "--workspace DIR status" becomes "status --workspace DIR".
std::vector<std::string> withCommandFirst(const std::vector<std::string> &words);

/// " --workspace DIR" for a command to be typed, quoted for a shell; empty for the user's default workspace. With
/// " --host HOST" before it if the user typed that.
std::string workspaceArgument(const std::string &workspace);

/// Creates the folder if it does not exist; returns an error that names it if it is not writable.
Expected<std::filesystem::path> writableWorkspace(const std::string &workspace);

}  // namespace sweepscope::ctl
