#pragma once

#include "sweep/sweepspec.h"
#include "sweep/tomlsection.h"

namespace sweepscope::sweep {

/// [run.metrics], as far as it can be understood.
std::optional<MetricsSection> readMetrics(const toml::node &node, Findings &findings);

}  // namespace sweepscope::sweep
