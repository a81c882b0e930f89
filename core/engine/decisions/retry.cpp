#include "engine/decisions/retry.h"

#include "sweep/command.h"

#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;
using sweep::SweepState;
using sweep::TrialState;

TrialChange retried(const TrialRow &row)
{
    TrialChange change{row, {}, {}};
    change.apply(TrialEvent::Retried, Code::RetryRequested);
    change.row.failures = 0;
    change.row.spared = row.spared || row.record.state == TrialState::Pruned;
    change.row.record.ended.reset();
    return change;
}

}  // namespace

Decided retryTrials(const SweepView &view, const std::vector<int> &numbers, WallNs now)
{
    const auto refuse = [](Fact why) { return tl::unexpected<Fact>(std::move(why)); };
    if (view.sweep.state == SweepState::Stopping)
        return refuse(Code::SweepIsStopping);
    if (view.budgetSpent)
        return refuse(Fact(Code::BudgetMustGrow).dueTo(*view.budgetSpent));
    if (const auto problem = sweep::missingProgram(view.spec))  // the cause of each failure would be lost
        return refuse(Fact(Code::InvalidInput).with(Field::Detail, problem->message));
    Decision decision;
    std::vector<int> refused;
    if (numbers.empty()) {
        for (const TrialRow &row : view.trials) {
            if (sweep::brokeDown(row.record.state))
                decision.trials.push_back(retried(row));
        }
        if (decision.trials.empty())
            return refuse(Fact(Code::NothingFailed).with(Field::Sweep, view.sweep.folder));
    }
    for (const int number : numbers) {
        const TrialRow &row = view.trial(number);
        if (view.hasAttempt(number) && sweep::isFinal(row.record.state))
            return refuse(Fact(Code::TrialStillEnding).with(Field::Trial, number));
        if (after(row.record.state, TrialEvent::Retried))
            decision.trials.push_back(retried(row));
        else
            refused.push_back(number);
    }
    const Fact notRetried = Fact(Code::TrialsNotRetried).with(Field::Trials, listOf(refused));
    if (decision.trials.empty())
        return refuse(notRetried);
    if (view.hasEnded()) {
        decision.sweep = SweepChange{view.sweep, Code::RetryRequested};
        decision.sweep->record.state = SweepState::Running;
        sweep::reopen(decision.sweep->record, now);
    }
    decision.reply.push_back(counted(Code::TrialsRetried, decision.trials.size()));
    if (!refused.empty())
        decision.reply.push_back(notRetried);
    return decision;
}

}  // namespace sweepscope::engine
