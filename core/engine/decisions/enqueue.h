#pragma once

#include "engine/decisions/decision.h"

#include <map>
#include <string>

namespace sweepscope::engine {

/// One more trial, of this point (values by parameter); it starts before the queued ones. Opens a sweep that had ended.
Decided enqueueTrial(const SweepView &view, const std::map<std::string, std::string> &point, WallNs now);

}  // namespace sweepscope::engine
