#pragma once

#include "facts/fact.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sweepscope::engine {

/// The steps at which trials of a sweep are compared.
class Rungs {
public:
    explicit Rungs(const sweep::PruneSection &prune) : m_prune(prune) {}
    /// The last rung that a trial at this step has reached; nothing before the first.
    std::optional<std::int64_t> upTo(std::int64_t step) const;

private:
    sweep::PruneSection m_prune;
};

/// Where a trial was at a rung.
struct RungValue {
    std::int64_t rung = 0;
    double best = 0;  ///< NaN: it had no value yet
};

/// Which trials are behind the others. Knows of each trial the best value of the objective that it had at each rung;
/// a trial is compared with all that came to the same rung, whatever became of them.
class Pruner {
public:
    Pruner(const sweep::PruneSection &prune, sweep::Goal goal) : m_prune(prune), m_goal(goal) {}

    /// NaN: it had no value yet, and is behind all that had one. An earlier attempt that it continues may have had a
    /// better one until there: returns the better of both.
    double reached(int trial, std::int64_t rung, double best);
    /// It starts from scratch: where it was before counts no longer.
    void forget(int trial);
    /// Why this trial is to end now; nothing when it goes on.
    std::optional<facts::Fact> verdict(int trial, std::int64_t rung) const;

private:
    /// Lower is better, and NaN the worst.
    double rank(double best) const;
    std::optional<double> worstThatGoesOn(std::vector<double> ranks) const;

    sweep::PruneSection m_prune;
    sweep::Goal m_goal;
    std::map<std::int64_t, std::map<int, double>> m_best;  ///< by rung, by trial
};

}  // namespace sweepscope::engine
