#include "sweep/stoprule.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// Stopped and lost trials do not count: they might have become the best.
bool counts(const TrialRecord &trial)
{
    return trial.ended
           && (trial.state == TrialState::Completed || trial.state == TrialState::Pruned
               || trial.state == TrialState::Failed);
}

}  // namespace

std::optional<Fact> appliedStopRule(const SweepSpec &spec, std::span<const TrialRecord *const> trials)
{
    const std::optional<StopSection> &stop = spec.stop;
    const Goal goal = spec.goal;
    if (!stop)
        return std::nullopt;
    const TrialRecord *best = nullptr;   // of all
    const TrialRecord *ended = nullptr;  // the best of those that have ended
    for (const TrialRecord *trial : trials) {
        if (!mayBeBest(*trial))
            continue;
        if (best == nullptr || isBetter(*trial, *best, goal))
            best = trial;
        if (!counts(*trial))
            continue;
        // Of equals the first; of the runs of a point, which have one mean, the last.
        const bool isEqual = ended != nullptr && !isBetter(*trial, *ended, goal) && !isBetter(*ended, *trial, goal);
        const bool isSooner = isEqual && (trial->pointMean ? trial->ended > ended->ended : trial->ended < ended->ended);
        if (ended == nullptr || isBetter(*trial, *ended, goal) || isSooner)
            ended = trial;
    }
    const bool isSettled =
        best != nullptr && (spec.repeats == 1 || (best->pointMean && best->pointMean->runs >= spec.repeats));
    if (stop->target && isSettled) {
        const double value = *rankedValue(*best);
        if (goal == Goal::Minimize ? value <= *stop->target : value >= *stop->target)
            return Fact(Code::TargetReached)
                .with(Field::Trial, best->number)
                .with(Field::Value, value)
                .with(Field::Bound, *stop->target);
    }
    if (stop->patience == 0)
        return std::nullopt;
    const auto later = std::ranges::count_if(trials, [&](const TrialRecord *trial) {
        return counts(*trial) && (ended == nullptr || trial->ended > ended->ended);
    });
    if (later < stop->patience)
        return std::nullopt;
    Fact fact = Fact(Code::NoImprovement).with(Field::Count, std::int64_t{later});
    return ended != nullptr ? std::move(fact).with(Field::Trial, ended->number) : fact;
}

}  // namespace sweepscope::sweep
