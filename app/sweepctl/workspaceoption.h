#pragma once

#include "base/error.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// --workspace DIR, else SWEEPSCOPE_WORKSPACE, else the person's own default.
void addWorkspaceOption(CLI::App &command, std::string &workspace);

/// `--workspace DIR` may also be said before the command: "--workspace DIR status" becomes "status --workspace DIR".
std::vector<std::string> withCommandFirst(const std::vector<std::string> &words);

/// " --workspace DIR" for a command that is to be typed, quoted for a shell; nothing for the person's own default.
std::string workspaceArgument(const std::string &workspace);

/// Makes the folder if it is not there; an error that names it when nothing can be written in it.
Expected<std::filesystem::path> writableWorkspace(const std::string &workspace);

}  // namespace sweepscope::ctl
