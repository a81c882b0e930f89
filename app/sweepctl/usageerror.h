#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Returns a sentence for a command line that cannot be parsed: the wrong word, and the likely intended one.
std::string describeUsageError(const CLI::App &app, const CLI::ParseError &error,
                               const std::vector<std::string> &words);

}  // namespace sweepscope::ctl
