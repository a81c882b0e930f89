#pragma once

#include "sweep/outcome.h"
#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sweepscope::search {

/// The outcome of a trial for a search method.
enum class Outcome {
    Complete,    ///< its values count
    Pruned,      ///< better the later it was pruned, then by its last value
    Infeasible,  ///< complete, but a constraint on its results is violated; better the smaller the violation
    Failed,      ///< as bad as any
    Pending,  ///< queued, running or paused: its point is taken, and it counts as bad, so that the next point differs
    Unknown,  ///< nothing: its point is taken, and models leave it out
};

/// A trial's value at a rung of pruning, smaller is better.
struct RungResult {
    std::int64_t step = 0;
    double value = 0;
};

/// A trial as search methods see it.
struct Observation {
    int number = 0;  ///< from 1; up to 0: a result of another sweep (warmstart.h)
    int source = 0;  ///< of such a result: where it comes from, from 1
    Outcome outcome = Outcome::Pending;
    sweep::ParameterSet parameters;
    std::vector<double> values;          ///< of each objective, smaller is better; NaN and infinity count as worst
    std::optional<std::int64_t> step{};  ///< Pruned: of its last value
    double violation = 0;                ///< Infeasible: sum of what is above the limits
    std::vector<double> excesses{};      ///< of constraints on results (sweep/outcome.h), where they are known
    double deviceSeconds = 0;            ///< that it took; 0: not known
    std::vector<RungResult> rungs{};     ///< of trials in brackets, pending ones too; ascending
};

/// Whether a finished trial neither failed nor violated a constraint.
inline bool isUsable(const Observation &trial)
{
    return trial.outcome == Outcome::Complete || trial.outcome == Outcome::Pruned;
}
/// Whether the trial belongs to this sweep (warmstart.h).
inline bool isOwn(const Observation &trial)
{
    return trial.number > 0;
}

/// What a trial tells search methods; the same for all of them.
///
/// The value is the best that it reported, by which trials are ranked everywhere; with several objectives the last of each. A
/// completed trial that violates a constraint on what it reported is infeasible. A trial that completed without one has
/// failed, but of a population it had nothing left to train. One that was stopped after it reported a value tells as much as one that was pruned at the same step, and one
/// that was stopped before tells nothing. So does one that was lost, or that failed before its ranks could run: the
/// machine, not the point, was at fault.
class TrialObserver {
public:
    /// `spec` must outlive it.
    explicit TrialObserver(const sweep::SweepSpec &spec);

    Observation operator()(const sweep::TrialRecord &trial) const;

private:
    const sweep::SweepSpec *m_spec;
    std::optional<sweep::OutcomeConstraints> m_constraints;
};

/// In the order of their numbers.
using History = std::span<const Observation>;

}  // namespace sweepscope::search
