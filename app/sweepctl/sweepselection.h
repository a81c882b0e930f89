#pragma once

#include "base/error.h"
#include "sweep/records.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sweepscope::ctl {

enum class Wanted {
    Any,       ///< whatever its state
    NotEnded,  ///< of several with one name, one that has not ended is meant before those that have
};

/// The sweep that a person means by an id, a folder or a name. BadInput when there is none, or when several of one name
/// could be meant: the message lists what there is to choose from.
Expected<const sweep::SweepRecord *> selectSweep(const std::vector<sweep::SweepRecord> &sweeps,
                                                 const std::string &words, Wanted wanted);

/// SWEEP, the words of selectSweep().
void addSweepOption(CLI::App &command, std::string &words);

}  // namespace sweepscope::ctl
