#pragma once

#include "base/error.h"
#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::sweep {

inline constexpr std::uint64_t mostSweepFileBytes = 1024 * 1024;

/// A sweep file as read: the spec is whatever could be understood; it may be used only if there are no problems.
struct ParsedSweep {
    SweepSpec spec;
    std::vector<Problem> problems;
};

/// TOML -> spec, with every problem found (syntax, unknown keys, wrong types, and what validate() says), each with its
/// line and column. Texts of more than mostSweepFileBytes are not looked at: clients of the engine send them too.
ParsedSweep parseSweep(std::string_view toml);

/// Line and column for problems that were found later, in the text that the sweep came from.
void locateProblems(std::vector<Problem> &problems, std::string_view toml);

/// The file at `path` (at most mostSweepFileBytes). An error only when it cannot be read.
Expected<ParsedSweep> readSweepFile(const std::filesystem::path &path);

/// A sweep file that parses back to the same spec. What the window saves and the engine keeps.
std::string toToml(const SweepSpec &spec);

}  // namespace sweepscope::sweep
