#pragma once

#include "sweep/parameter.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sweepscope::search {

/// What a trial tells a search method.
enum class Outcome {
    Complete,    ///< its values count
    Pruned,      ///< better the later it was pruned, then by its last value
    Infeasible,  ///< complete, but a constraint on its results is violated; better the smaller the violation
    Failed,      ///< as bad as any
    Pending,  ///< queued, running or paused: its point is taken, and it counts as bad, so that the next point differs
};

/// A trial as search methods see it.
struct Observation {
    int number = 0;
    Outcome outcome = Outcome::Pending;
    sweep::ParameterSet parameters;
    std::vector<double> values;          ///< of each objective, smaller is better; NaN and infinity count as worst
    std::optional<std::int64_t> step{};  ///< Pruned: of its last value
    double violation = 0;                ///< Infeasible: sum of what is above the limits
};

/// In the order of their numbers.
using History = std::span<const Observation>;

}  // namespace sweepscope::search
