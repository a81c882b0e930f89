#include "engine/decisions/edit.h"

#include <set>
#include <utility>

namespace sweepscope::engine {

namespace {

/// Without removed and restored trials, which the decision has already.
void judgeByObjective(const SweepView &view, const Definition &definition, Decision &decision)
{
    const bool isOther = view.spec.objective != definition.spec.objective || view.spec.goal != definition.spec.goal;
    std::set<int> decided;
    for (const TrialChange &change : decision.trials)
        decided.insert(change.row.record.number);
    for (const TrialRow &row : view.trials) {
        const auto reports = definition.reports.find(row.record.number);
        const bool mayChange = reports != definition.reports.end() || (isOther && row.record.firstAttempt != 0);
        if (!mayChange || decided.contains(row.record.number))
            continue;
        TrialChange &changed = decision.trials.emplace_back(TrialChange{row, {}, {}});
        changeObjective(changed.row, view.spec, definition.spec,
                        reports != definition.reports.end() ? &reports->second : nullptr);
    }
}

}  // namespace

tl::expected<Decision, std::vector<sweep::Problem>> editSweep(const SweepView &view, Definition definition, WallNs now)
{
    using facts::Code;
    using facts::Fact;
    using sweep::SweepState;
    using Problems = std::vector<sweep::Problem>;
    if (view.sweep.state == SweepState::Stopping)
        return tl::unexpected<Problems>(Problems{{"", "the sweep is being stopped and cannot be edited"}});
    Decision decision;
    const bool isUndo = definition.kind == sweep::EditKind::Undo;
    if (!isUndo && definition.toml == view.sweep.toml) {  // otherwise an undo of it would undo nothing
        decision.reply = {Code::NothingChanged};
        return decision;
    }
    std::vector<const sweep::TrialRecord *> records;
    records.reserve(view.trials.size());
    for (const TrialRow &row : view.trials)
        records.push_back(&row.record);
    auto plan = sweep::planEdit(view.spec, definition.spec, std::move(definition.plans), records, view.budgetSpent,
                                definition.kind);
    if (!plan)
        return tl::unexpected<Problems>(std::move(plan.error()));

    decision.reply = sweep::answerFacts(*plan, view.hasEnded());
    Fact reason = isUndo ? Code::EditUndone : Code::Edited;
    reason.because = sweep::changeFacts(*plan);
    decision.sweep = SweepChange{view.sweep, std::move(reason)};
    decision.definition = DefinitionChange{view.sweep.toml, isUndo};
    sweep::SweepRecord &record = decision.sweep->record;
    record.name = definition.spec.name;
    record.toml = definition.toml;
    record.trialsTotal = plan->kept + static_cast<int>(plan->added.size());
    if (view.sweep.trialsToCome != 0 || plan->changesSearch)
        record.trialsToCome = plan->toCome;
    if (view.hasEnded() && plan->runsAgain()) {
        record.state = SweepState::Running;
        sweep::reopen(record, now);
    }
    for (const int number : plan->removed) {
        if (number > plan->kept)
            continue;  // nothing of it remains
        TrialChange &removed = decision.trials.emplace_back(TrialChange{view.trial(number), {}, {}});
        removed.apply(TrialEvent::Stopped, Code::RemovedByEdit);
        removed.row.record.ended = now;
    }
    for (const int number : plan->restored) {
        TrialChange &restored = decision.trials.emplace_back(TrialChange{view.trial(number), {}, {}});
        restored.apply(TrialEvent::Retried, Code::Queued);
        restored.row.record.ended.reset();
    }
    if (!plan->discarded.empty())
        decision.discardFrom = plan->kept + 1;
    record.objective = definition.spec.objective;
    record.goal = definition.spec.goal;
    judgeByObjective(view, definition, decision);
    for (sweep::TrialPlan &added : plan->added)
        decision.added.push_back(queuedTrial(std::move(added)));
    return decision;
}

}  // namespace sweepscope::engine
