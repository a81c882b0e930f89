#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// One mistake in a sweep: what, where, what to do. `field` is a dotted path ("space.lr", "run.ranks",
/// "constraints.fits") and lets a form show it at its place; line and column are 0 when the sweep did not come from a
/// file. A parameter, objective or constraint without a usable name goes by its place, from 1: "space.2".
struct Problem {
    std::string field;
    std::string message;
    int line = 0;
    int column = 0;
    /// Inside an expression (a condition or constraint): the character, from 1, where it goes wrong; else 0.
    int position = 0;
};

/// "objectives.loss"; "objectives.2" for the second entry of the section if it has no name.
std::string entryField(const std::string &section, const std::string &name, std::size_t index);

/// `file:line:column: field: message`, leaving out what is not known.
std::string describe(const Problem &problem, const std::string &file);

}  // namespace sweepscope::sweep
