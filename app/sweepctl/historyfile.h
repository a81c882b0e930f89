#pragma once

#include "base/error.h"
#include "search/observation.h"
#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Reads trials for a search method from JSON lines: `number` (default: the line's number), `state` ("complete",
/// "completed", "pruned", "failed", "fail", "stopped", "running" or "queued"), `params`, `value` or `values`,
/// `intermediate` {step: value} and `constraints`, a list or an object whose positive values are violations. NaN and
/// infinite values may be written as strings. `spec` says whether larger values are better. BadInput names the line.
Expected<std::vector<search::Observation>> readSearchHistory(const std::string &text, const sweep::SweepSpec &spec);

}  // namespace sweepscope::ctl
