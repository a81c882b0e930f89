#pragma once

#include "engine/trialrow.h"
#include "sweep/problem.h"
#include "sweep/trialplan.h"

#include <tl/expected.hpp>

#include <vector>

namespace sweepscope::engine {

/// What a new definition means for the trials that a sweep has. Trials that have started, and points that were asked for
/// one by one, stay as they are.
struct SweepEdit {
    std::vector<sweep::TrialPlan> added;  ///< their numbers go on after the last one
    std::vector<int> removed;             ///< waiting ones that are not in the space any more
    std::vector<int> restored;  ///< removed by an earlier edit and in the space again, or stopped by a smaller budget
};

/// Trials are compared by their parameters. `hasBudget`: there is some left, so that trials which fell to it come back. The
/// problems name what cannot change in a sweep that was launched.
tl::expected<SweepEdit, std::vector<sweep::Problem>> planEdit(const sweep::SweepSpec &before,
                                                              const sweep::SweepSpec &after,
                                                              const std::vector<TrialRow> &trials,
                                                              bool hasBudget = true);

}  // namespace sweepscope::engine
