#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// A sentence for a command line that cannot be understood: the word that is wrong, and what was probably meant.
std::string describeUsageError(const CLI::App &app, const CLI::ParseError &error,
                               const std::vector<std::string> &words);

}  // namespace sweepscope::ctl
