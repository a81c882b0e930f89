#pragma once

#include "sweep/records.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// The sweep that a person means by an id, a folder or a name. Of several with one name: the newest that has not ended,
/// else the newest. Null when there is none.
const sweep::SweepRecord *selectSweep(const std::vector<sweep::SweepRecord> &sweeps, const std::string &wanted);

/// For the message when there is none: what there is.
std::string sweepsInWords(const std::vector<sweep::SweepRecord> &sweeps);

}  // namespace sweepscope::ctl
