#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Sweeps of other programs as sweep files.
namespace sweepscope::importing {

/// What is not exact about one key of the sweep file, or about the whole file.
struct ImportNote {
    std::string key;  ///< "space.lr"; empty: the file
    std::string text;
};

struct ImportedSweep {
    sweep::SweepSpec spec;
    std::vector<ImportNote> notes;
    /// What has no equivalent, by place in the source. With any of them, `spec` is incomplete.
    std::vector<sweep::Problem> problems;

    void note(std::string key, std::string text) { notes.push_back({std::move(key), std::move(text)}); }
};

/// The sweep file, with each note as a comment before its key. Empty if `problems` were found: parsing the file again
/// adds those of a sweep that Sweepscope does not accept, with the keys of the sweep file.
std::string sweepFileOf(ImportedSweep &imported);

/// Sets the number of trials, or that of the combinations if these are fewer: a search tries each once. A comment says so.
void setTrials(ImportedSweep &imported, std::uint64_t trials);

/// A valid name of a sweep: at most 100 characters, and none that a folder cannot have.
std::string sweepNameOf(std::string name);

/// Rounded to the 12 digits that values of ranges have.
double roundedToDigits(double value);

}  // namespace sweepscope::importing
