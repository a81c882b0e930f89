#pragma once

#include "facts/fact.h"
#include "sweep/records.h"

#include <optional>
#include <span>

namespace sweepscope::sweep {

/// Whether the result is good enough or does not get better any more: TargetReached or NoImprovement. A trial reaches the
/// target as soon as it reports it, a point that is repeated once its last run has completed; patience counts trials that completed, were pruned or failed after the best one ended.
/// `trials`: all of the sweep.
std::optional<facts::Fact> appliedStopRule(const SweepSpec &spec, std::span<const TrialRecord *const> trials);

}  // namespace sweepscope::sweep
