#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// Checks of arguments whose errors are clauses after the option's name. CLI11's own read like "Value 0 not in range".
namespace sweepscope::ctl {

/// Accepts integers from `least` to the largest int.
CLI::Validator atLeast(int least);

/// Accepts integers from `least` to `most`.
CLI::Validator between(int least, int most);

/// Accepts one of these words.
CLI::Validator oneOf(std::vector<std::string> words);

/// Accepts any text but the empty one, which comes from a variable that is not set.
CLI::Validator notEmpty();

/// Accepts a value of an option, but neither an empty one nor the next option, which CLI11 takes where the value is missing.
CLI::Validator notAnOption();

/// Lets a command line have at most one of these options of `command`.
void allowOneOf(CLI::App &command, std::vector<const CLI::Option *> options);

}  // namespace sweepscope::ctl
