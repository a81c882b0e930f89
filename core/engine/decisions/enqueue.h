#pragma once

#include "engine/decisions/decision.h"

#include <map>
#include <string>

namespace sweepscope::engine {

/// Adds one trial at this point (values by parameter); it starts before the queued ones. Reopens a sweep that has
/// ended. Refuses parameters that a condition switches off, and the point of a trial that is not over or has a result.
Decided enqueueTrial(const SweepView &view, const std::map<std::string, std::string> &point, WallNs now);

}  // namespace sweepscope::engine
