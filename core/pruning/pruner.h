#pragma once

#include "facts/fact.h"
#include "pruning/rungs.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace sweepscope::pruning {

/// How a trial's value is compared with those of others. Median, percentile, halving and Hyperband differ in nothing else.
struct Comparison {
    /// Which of n values is the worst that continues: the ceil(share n)-th, the floor(share n)-th and at least the first,
    /// or the percentile between two values.
    enum class Limit { Ceil, Floor, Interpolated };

    sweep::PrunePeers peers = sweep::PrunePeers::All;
    sweep::PruneValue own = sweep::PruneValue::Best;
    sweep::PruneValue theirs = sweep::PruneValue::Best;
    double share = 0.5;
    Limit limit = Limit::Ceil;
    int minPeers = 5;
};
/// That of a method that compares trials.
Comparison comparisonOf(const sweep::PruneSection &prune);

/// Returns the worst of `ranks` that continues (smaller is better; infinite for a trial without a value); nullopt while
/// there are too few.
std::optional<double> worstThatContinues(const Comparison &comparison, std::vector<double> ranks);

/// A decision about a trial at a rung, and from what it follows.
struct Verdict {
    std::optional<facts::Fact> reason;  ///< why the trial should end now; nullopt: it may continue
    int peers = 0;                      ///< trials or pairs that were compared
    std::optional<double> bound;  ///< the worst value that continues, or the probability of chance; nullopt: none yet
    bool asksProgram = false;     ///< another program decides (OutsidePruner)
};

/// Decides which trials end early. Stores the values of each trial at each rung. A verdict depends only on earlier
/// entries, so repeating the entries gives the same verdicts.
class Pruner {
public:
    /// `seed`: of the sweep; it assigns trials to brackets.
    Pruner(const sweep::PruneSection &prune, sweep::Goal goal, std::uint64_t seed);
    /// As Pruner, with a comparison that the sweep file cannot name.
    Pruner(const sweep::PruneSection &prune, const Comparison &comparison, sweep::Goal goal, std::uint64_t seed);

    /// The trial has reached a rung. An earlier attempt that it continues may have had a better value there: returns the
    /// better of both.
    RungValue reached(int trial, const RungValue &value);
    /// Whether that would change nothing.
    bool knows(int trial, const RungValue &value) const;
    /// The trial has completed, with this best value of its objective.
    void completed(int trial, double best);
    bool knowsCompleted(int trial) const { return m_completed.contains(trial); }
    /// The trial starts from scratch: its earlier values no longer count.
    void startedOver(int trial);

    /// The trial was ended at this rung and may continue.
    void promoted(int trial, std::int64_t rung) { m_promoted.emplace(trial, rung); }
    bool wasPromoted(int trial, std::int64_t rung) const { return m_promoted.contains({trial, rung}); }

    Verdict verdict(int trial, std::int64_t rung) const;
    /// Returns the verdict at the last earlier rung that enough trials have reached meanwhile, with the trial's value
    /// there.
    std::optional<std::pair<RungValue, Verdict>> verdictBefore(int trial, std::int64_t rung) const;
    /// The values of a trial that are compared, by rung.
    std::map<std::int64_t, double> valuesOf(int trial) const;

private:
    struct Value {
        double best = 0;
        double last = 0;
    };
    using Values = std::map<int, Value>;  ///< by trial

    /// Returns the value with the best of the rungs that the trial has reached before this one.
    RungValue merged(int trial, RungValue value) const;
    const Value *valueAt(int trial, std::int64_t rung) const;
    /// Returns a number for sorting: smaller is better, and NaN the worst.
    double rank(double value) const;
    bool isStale(int trial, std::int64_t rung) const;
    std::optional<facts::Fact> outOfBounds(const Value &own, std::int64_t rung) const;
    Verdict compare(int trial, std::int64_t rung, const Value &own) const;
    Verdict compareStepByStep(int trial, std::int64_t rung) const;
    facts::Fact stale(int trial, std::int64_t rung) const;

    sweep::PruneSection m_prune;
    Comparison m_comparison;
    sweep::Goal m_goal;
    std::uint64_t m_seed;
    std::map<std::int64_t, Values> m_values;                ///< by rung
    std::map<int, std::map<std::int64_t, Value>> m_curves;  ///< the same by trial
    std::map<int, double> m_completed;                      ///< best value, by trial
    std::set<std::pair<int, std::int64_t>> m_promoted;      ///< trial and rung
};

}  // namespace sweepscope::pruning
