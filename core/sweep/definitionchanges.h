#pragma once

#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::sweep {

/// What another definition says differently, key by key in the order of the sweep file, for people:
/// `devices.concurrent from 2 to 1`, `run.timeout is "10m"` (it was not said), `search.seed is not said` (it was).
std::vector<std::string> changesBetween(const SweepSpec &before, const SweepSpec &after);

/// The same as one text, `; ` between them, the first `most` of them; empty when nothing differs.
std::string changesInWords(const SweepSpec &before, const SweepSpec &after, std::size_t most = 8);

}  // namespace sweepscope::sweep
