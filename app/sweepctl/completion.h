#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Prints the candidates, one a line, each with a tab and its description; a line ":files" or ":folders" stands for
/// paths. The shells' part is in packaging/completions. Prints nothing where it fails. Returns the exit code.
int printCompletions(const CLI::App &app, const std::vector<std::string> &words);

}  // namespace sweepscope::ctl
