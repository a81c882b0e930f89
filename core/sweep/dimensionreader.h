#pragma once

#include "sweep/sweepspec.h"
#include "sweep/tomlsection.h"

namespace sweepscope::sweep {

/// [space]: every parameter in the order of the file, also one with mistakes, so that conditions which name it are not
/// mistakes too.
std::vector<Dimension> readSpace(const toml::table &space, Findings &findings);

}  // namespace sweepscope::sweep
