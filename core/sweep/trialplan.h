#pragma once

#include "base/error.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <vector>

namespace sweepscope::sweep {

/// More trials than this are refused: nobody means it, and a window could not show them.
inline constexpr std::uint64_t maxTrials = 1'000'000;

/// One trial that the sweep will run. The same spec gives the same plans in the same order.
struct TrialPlan {
    int number = 0;  ///< from 1
    ParameterSet parameters;
    std::uint64_t seed = 0;  ///< from the sweep's seed and the trial's number; a parameter named `seed` overrides it
    int ranks = 1;           ///< a parameter named `ranks` overrides run.ranks
};

/// Number of trials after conditions and constraints, without building them: a raw grid of 10^18 is no trouble.
/// Duplicate points (a condition switched their only difference off) count once. BadInput when there are more than
/// maxTrials or none, when a random search asks for more than the space has, or when [space] or [constraints] is wrong
/// (the first problem).
Expected<std::uint64_t> countTrials(const SweepSpec &spec);

/// All trials. Grid: first dimension slowest, in declared order. Random: spec.trials different draws from spec.seed,
/// float ranges from the whole range whatever their points.
Expected<std::vector<TrialPlan>> planTrials(const SweepSpec &spec);

/// One trial of these parameters.
TrialPlan planPoint(const SweepSpec &spec, int number, ParameterSet parameters);

}  // namespace sweepscope::sweep
