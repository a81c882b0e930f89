#include "engine/decisions/suggest.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

using facts::Field;

bool wantsPoint(const SweepView &view)
{
    return view.sweep.state == sweep::SweepState::Running && view.sweep.trialsToCome != 0 && !view.budgetSpent
           && static_cast<int>(view.attempts.size()) < view.spec.devices.concurrent;
}

bool isParentTrained(const SweepView &view, const tl::expected<search::Suggestion, facts::Fact> &point)
{
    const std::optional<int> parent = point ? sweep::parentOf(point->why) : std::nullopt;
    if (!parent || !view.hasTrial(*parent))
        return false;
    const sweep::TrialRecord &record = view.trial(*parent).record;
    return record.state == sweep::TrialState::Completed || record.progress >= 1;
}

Decision addSuggested(const SweepView &view, const search::Suggestion &suggestion, const SearchInputs &inputs)
{
    const std::optional<double> expected = suggestion.why.number(Field::Improvement);
    if (expected && view.spec.stop && view.spec.stop->minImprovement && *expected < *view.spec.stop->minImprovement)
        return endSearch(view, facts::Fact(facts::Code::ImprovementSmall)
                                   .with(Field::Bound, *view.spec.stop->minImprovement)
                                   .with(Field::Improvement, *expected));
    TrialRow row = queuedTrial(sweep::planPoint(view.spec, view.sweep.trialsTotal + 1, suggestion.parameters));
    row.record.chosen = facts::Fact(suggestion.why)
                            .with(Field::Method, search::toString(suggestion.method))
                            .with(Field::Version, search::versionOf(suggestion.method))
                            .with(Field::Revision, inputs.revision)
                            .with(Field::Definition, inputs.definition);
    if (inputs.reports != 0)
        row.record.chosen = std::move(row.record.chosen).with(Field::Reports, inputs.reports);
    const std::optional<int> parent = sweep::parentOf(suggestion.why);
    if (parent && view.hasTrial(*parent))
        row.record.seed = view.trial(*parent).record.seed;  // split and order of the data go on, too
    Decision decision;
    decision.sweep = SweepChange{view.sweep, {}};
    sweep::SweepRecord &record = decision.sweep->record;
    ++record.trialsTotal;
    if (record.trialsToCome)
        --*record.trialsToCome;
    decision.added.push_back(std::move(row));
    return decision;
}

Decision endSearch(const SweepView &view, const facts::Fact &reason)
{
    Decision decision;
    const auto isQueued = [](const TrialRow &row) { return row.record.state == sweep::TrialState::Queued; };
    if (std::ranges::any_of(view.trials, isQueued))
        decision.queuedStop = reason;
    if (view.sweep.trialsToCome != 0) {
        decision.sweep = SweepChange{view.sweep, reason};
        decision.sweep->record.trialsToCome = 0;
    }
    return decision;
}

}  // namespace sweepscope::engine
