#pragma once

#include "engine/decisions/decision.h"

#include <map>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// Adds one trial at this point (values by parameter); it starts before the queued ones. Reopens a sweep that has
/// ended. Refuses parameters that a condition switches off, and the point of a trial that is not over or has a result.
Decided enqueueTrial(const SweepView &view, const std::map<std::string, std::string> &point, WallNs now);

/// Adds a trial for each of `parents`, which must have ended here: it continues the checkpoint of that trial with its
/// parameters and seed, except for `changes` (sweep::continuedPoint). Otherwise as enqueueTrial(). Refuses a trial that
/// another one continues with the same parameters, and a population while it continues trials itself.
Decided continueTrials(const SweepView &view, const std::vector<int> &parents,
                       const std::map<std::string, std::string> &changes, WallNs now);

}  // namespace sweepscope::engine
