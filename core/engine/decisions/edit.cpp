#include "engine/decisions/edit.h"

#include "engine/sweepedit.h"
#include "sweep/definitionchanges.h"

#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Facts;
using sweep::SweepState;

/// What becomes of the trials, and which keys change.
Facts changesOf(const SweepEdit &edit, const sweep::SweepSpec &before, const sweep::SweepSpec &after)
{
    Facts changes;
    const auto add = [&](Code code, std::size_t count) {
        if (count != 0)
            changes.push_back(counted(code, count));
    };
    add(Code::TrialsAdded, edit.added.size());
    add(Code::TrialsRemoved, edit.removed.size());
    add(Code::TrialsRestored, edit.restored.size());
    if (changes.empty())
        changes.push_back(Code::TrialsUnchanged);
    for (Fact &change : sweep::changesBetween(before, after))
        changes.push_back(std::move(change));
    return changes;
}

}  // namespace

tl::expected<Decision, std::vector<sweep::Problem>> editSweep(const SweepView &view, const Definition &definition,
                                                              WallNs now)
{
    using Problems = std::vector<sweep::Problem>;
    if (view.sweep.state == SweepState::Stopping)
        return tl::unexpected<Problems>(Problems{{"", "the sweep is being stopped and cannot be edited"}});
    tl::expected<SweepEdit, Problems> edit =
        planEdit(view.spec, definition.spec, view.trials, !view.budgetSpent.has_value());
    if (!edit)
        return tl::unexpected<Problems>(std::move(edit.error()));

    Decision decision;
    decision.reply = changesOf(*edit, view.spec, definition.spec);
    Fact reason = definition.isUndo ? Code::EditUndone : Code::Edited;
    reason.because = decision.reply;
    decision.sweep = SweepChange{view.sweep, std::move(reason)};
    decision.definition = DefinitionChange{view.sweep.toml, definition.isUndo};
    sweep::SweepRecord &record = decision.sweep->record;
    record.toml = definition.toml;
    record.trialsTotal += static_cast<int>(edit->added.size());
    const bool runsAgain = view.hasEnded() && !(edit->added.empty() && edit->restored.empty());
    if (runsAgain) {
        record.state = SweepState::Running;
        sweep::takeUp(record, now);
    }
    for (const int number : edit->removed) {
        TrialChange &removed = decision.trials.emplace_back(TrialChange{view.trial(number), {}, {}});
        removed.apply(TrialEvent::Stopped, Code::RemovedByEdit);
        removed.row.record.ended = now;
    }
    for (const int number : edit->restored) {
        TrialChange &restored = decision.trials.emplace_back(TrialChange{view.trial(number), {}, {}});
        restored.apply(TrialEvent::Retried, Code::Queued);
        restored.row.record.ended.reset();
    }
    for (sweep::TrialPlan &plan : edit->added)
        decision.added.push_back(queuedTrial(std::move(plan)));

    if (view.budgetSpent)
        decision.reply.push_back(Fact(Code::QueuedStopped).dueTo(*view.budgetSpent));
    if (runsAgain)
        decision.reply.push_back(Code::SweepRunsAgain);
    decision.reply.push_back(Code::DefinitionApplied);
    return decision;
}

}  // namespace sweepscope::engine
