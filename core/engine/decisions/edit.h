#pragma once

#include "engine/decisions/decision.h"
#include "engine/objectivechange.h"
#include "sweep/editplan.h"
#include "sweep/problem.h"

#include <map>

namespace sweepscope::engine {

/// A new definition, as sweep file and as read, and all trials of it (sweep::planTrials).
struct Definition {
    std::string toml;
    sweep::SweepSpec spec;
    std::vector<sweep::TrialPlan> plans;
    sweep::EditKind kind = sweep::EditKind::Edit;
    /// If objective or goal change: reports of trials that are not running. If metrics change: those of ended trials
    /// without earlier reports.
    std::map<int, TrialReports> reports{};
};

/// The sweep's definition changes. `view.budgetSpent` is by the new budget. The problems name what cannot change in a sweep
/// that was launched. The reply says what changes; a dry run is a decision that is not carried out.
tl::expected<Decision, std::vector<sweep::Problem>> editSweep(const SweepView &view, Definition definition, WallNs now);

}  // namespace sweepscope::engine
