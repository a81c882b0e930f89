#pragma once

#include "base/error.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace sweepscope::launch {

/// Reads the lines NAME=VALUE of a file, as Docker's --env-file and `.env` files have them. Empty lines and lines that
/// begin with # are skipped, `export ` before a name is ignored, and a value in single or double quotes loses them.
/// There are no escapes, no expansion of variables and no values of several lines. The last line of a name counts.
/// A quote that is not closed and a name that Sweepscope sets for each rank are errors. BadInput names the line, but
/// never its value, which may be a password.
Expected<std::map<std::string, std::string>> parseEnvironmentFile(std::string_view content);

/// Reads such a file of at most 64 KiB. Symbolic links are followed. The error names the file.
Expected<std::map<std::string, std::string>> readEnvironmentFile(const std::filesystem::path &file);

}  // namespace sweepscope::launch
