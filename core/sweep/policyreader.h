#pragma once

#include "sweep/sweepspec.h"
#include "sweep/tomlsection.h"

namespace sweepscope::sweep {

/// From [run]: hang_factor, hang_after, exit_grace and the table retry.
void readPolicy(TomlSection &run, AttemptPolicy &policy, Findings &findings);

}  // namespace sweepscope::sweep
