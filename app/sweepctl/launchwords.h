#pragma once

#include "sweep/trialhistory.h"

#include <string>
#include <vector>

/// What an attempt ran as text, for terminals.
namespace sweepscope::ctl {

std::string joined(const std::vector<std::string> &words, const std::string &separator);

/// Returns the command as typed in a shell.
std::string commandInWords(const std::vector<std::string> &argv);

/// "1a2b3c (main), with uncommitted changes"
std::string revisionInWords(const sweep::SourceState &source);

/// Returns the id of the snapshot of the code, or why there is none.
std::string snapshotInWords(const sweep::SourceState &source);

}  // namespace sweepscope::ctl
