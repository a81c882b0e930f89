#pragma once

#include "base/error.h"
#include "sweep/records.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sweepscope::ctl {

enum class Wanted {
    Any,       ///< in any state
    NotEnded,  ///< of several with one name, prefers those that have not ended
};

/// Returns the sweep that matches an id, a folder or a name. BadInput if there is none, or if a name is ambiguous: the
/// message lists the candidates.
Expected<const sweep::SweepRecord *> selectSweep(const std::vector<sweep::SweepRecord> &sweeps,
                                                 const std::string &words, Wanted wanted);

/// Returns the sweep of each of `words` (selectSweep, in any state), without repetitions.
Expected<std::vector<const sweep::SweepRecord *>> selectSweeps(const std::vector<sweep::SweepRecord> &sweeps,
                                                               const std::vector<std::string> &words);

/// Adds the argument SWEEP, for selectSweep().
void addSweepOption(CLI::App &command, std::string &words);

/// Adds the argument SWEEP, which may be repeated, for selectSweeps(). `note` is added to its description.
void addSweepsOption(CLI::App &command, std::vector<std::string> &words, const std::string &note = {});

}  // namespace sweepscope::ctl
