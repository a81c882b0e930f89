#pragma once

#include "engine/decisions/decision.h"
#include "sweep/editplan.h"
#include "sweep/problem.h"

namespace sweepscope::engine {

/// A new definition, and the text that says so.
struct Definition {
    std::string toml;
    const sweep::SweepSpec &spec;
    sweep::EditKind kind = sweep::EditKind::Edit;
};

/// The sweep's definition changes. `view.budgetSpent` is by the new budget. The problems name what cannot change in a sweep
/// that was launched. The reply says what changes; a dry run is a decision that is not carried out.
tl::expected<Decision, std::vector<sweep::Problem>> editSweep(const SweepView &view, const Definition &definition,
                                                              WallNs now);

}  // namespace sweepscope::engine
