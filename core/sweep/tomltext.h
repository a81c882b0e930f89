#pragma once

#include "sweep/parameter.h"
#include "sweep/problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Values and keys as TOML.
namespace sweepscope::sweep {

/// A string that TOML reads back as `text`: with backslashes 'as it is' where TOML can, so that regular expressions stay
/// readable.
std::string tomlString(const std::string &text);
std::string tomlStrings(const std::vector<std::string> &texts);
/// A float that TOML reads as a float: with a point or an exponent.
std::string tomlFloat(double value);
std::string tomlValue(const ParameterValue &value);
/// A key, in quotes where it needs them.
std::string tomlKey(const std::string &name);

/// TOML that nests deeper, in parts of a dotted key or in brackets, is refused before it is parsed: toml++ walks tables
/// recursively, and 80 KB of one key overflow its stack.
inline constexpr int deepestToml = 16;
std::optional<Problem> nestingProblem(std::string_view toml);

}  // namespace sweepscope::sweep
