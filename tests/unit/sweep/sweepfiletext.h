#pragma once

#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <string>

// Sweep files that are valid except for one part, and their problems.
namespace sweepscope::tests {

/// Returns a sweep file that is valid except for `space`, which begins on line 8.
inline std::string withSpace(const std::string &space)
{
    return "[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n\n[run]\nworker = \"builtin\"\n[space]\n" + space + "\n";
}

/// The same with a command that uses a and b, and `rest` after the space.
inline std::string withCommand(const std::string &space, const std::string &rest = {})
{
    return "[sweep]\nname = \"t\"\nobjective = \"loss\"\n\n[run]\ncommand = [\"true\", \"{a}\", \"{b}\"]\n\n[space]\n"
           + space + "\n" + rest + "\n";
}

/// Returns the problems as "line:column field: message", for the output of failed checks.
inline std::string textOf(const sweep::ParsedSweep &parsed)
{
    std::string text;
    for (const sweep::Problem &problem : parsed.problems)
        text += sweep::describe(problem, "f.toml") + "\n";
    return text;
}

/// Returns the only problem of a file.
inline sweep::Problem onlyProblem(const std::string &toml)
{
    const sweep::ParsedSweep parsed = sweep::parseSweep(toml);
    INFO(toml);
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.size() == 1);
    return parsed.problems.front();
}

inline bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace sweepscope::tests
