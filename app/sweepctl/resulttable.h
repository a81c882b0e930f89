#pragma once

#include "sweep/records.h"

#include <ostream>
#include <vector>

namespace sweepscope::ctl {

/// Prints the trials of a sweep, best first, in aligned columns. Ends after `mostRows` trials with a line that says how
/// many are left out.
void printResultTable(std::ostream &out, const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials,
                      std::size_t mostRows = 50);

}  // namespace sweepscope::ctl
