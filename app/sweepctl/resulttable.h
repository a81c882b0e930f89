#pragma once

#include "sweep/records.h"

#include <ostream>
#include <vector>

namespace sweepscope::ctl {

/// The trials of a sweep, best first, in aligned columns. Long sweeps are cut after `mostRows`, with a line that says
/// so.
void printResultTable(std::ostream &out, const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                      std::size_t mostRows = 50);

}  // namespace sweepscope::ctl
