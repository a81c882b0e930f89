#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// What a shell is to offer for the last of `words`, those after "sweepctl", which may be empty or a part of a word.
struct CompletionPlace {
    const CLI::App *command;  ///< the subcommand before it, or the program
    std::string option;       ///< whose value it is, such as "--curves"; empty: none
    std::string value;        ///< what it names, as help does: SWEEP, TRIAL, FILE, grid|random; empty: another option
    std::string sweep;        ///< the sweep before it
    std::string workspace;    ///< likewise, behind --workspace
    bool isOption = false;    ///< it begins with a dash
};

CompletionPlace completionPlace(const CLI::App &app, const std::vector<std::string> &words);

}  // namespace sweepscope::ctl
