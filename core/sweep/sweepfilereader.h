#pragma once

#include "sweep/sweepspec.h"
#include "sweep/tomlsection.h"

namespace sweepscope::sweep {

/// Every section of a sweep file as far as it can be understood; what cannot be is in `findings`.
SweepSpec readSections(const toml::table &file, Findings &findings);

}  // namespace sweepscope::sweep
