#pragma once

#include "base/error.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::sweep {

/// More trials than this are refused: the number is a mistake, and a window could not show them.
inline constexpr std::uint64_t maxTrials = 1'000'000;

/// One trial that the sweep will run. The same spec gives the same plans in the same order.
struct TrialPlan {
    int number = 0;  ///< from 1
    ParameterSet parameters;
    std::uint64_t seed = 0;  ///< from the sweep's seed and the trial's number; a parameter named `seed` overrides it
    int ranks = 1;           ///< a parameter named `ranks` overrides run.ranks
};

/// Whether trials are chosen one by one while the sweep runs, instead of all at its launch: where points are repeated, and
/// with every method but `grid` and `random` with a number of trials.
bool isOpenEnded(const SweepSpec &spec);
/// Trials that the search of an open-ended sweep adds, SweepRecord::trialsToCome at its launch. At most, where points are
/// repeated.
std::optional<int> trialsToSearch(const SweepSpec &spec);

/// Number of trials after conditions and constraints, without building them: a raw grid of 10^18 is no trouble.
/// Duplicate points (a condition switched their only difference off) count once. BadInput when there are more than
/// maxTrials or none, when a search asks for more than the space has, or when [space] or [constraints] is wrong
/// (the first problem). 0 for a search that only a budget or a stop rule ends.
Expected<std::uint64_t> countTrials(const SweepSpec &spec);

/// The trials that are planned at the launch: all, or none of an open-ended sweep. Grid: first dimension slowest, in declared order. Random: spec.trials different draws from spec.seed,
/// float ranges from the whole range whatever their points.
Expected<std::vector<TrialPlan>> planTrials(const SweepSpec &spec);

/// Trials such as the sweep will run, for plans and checks. Those of planTrials(); of an open-ended sweep random points,
/// as many as it will run and at most `most`.
Expected<std::vector<TrialPlan>> typicalTrials(const SweepSpec &spec, std::size_t most);

/// One trial of these parameters.
TrialPlan planPoint(const SweepSpec &spec, int number, ParameterSet parameters);

}  // namespace sweepscope::sweep
