#include "engine/decisions/decision.h"

#include "sweep/budgetuse.h"

#include <utility>

namespace sweepscope::engine {

void TrialChange::apply(TrialEvent event, facts::Fact reason)
{
    const sweep::TrialState before = row.record.state;
    const std::optional<sweep::TrialState> next = after(before, event);
    if (!next) {
        forbidden = forbidden.value_or(event);
        return;
    }
    row.record.state = *next;
    row.record.reason = reason;
    transitions.push_back({before, *next, std::move(reason)});
}

void TrialChange::note(facts::Fact reason)
{
    transitions.push_back({row.record.state, row.record.state, std::move(reason)});
}

bool SweepView::isStopping(int number) const
{
    return sweep.state == sweep::SweepState::Stopping || stopModeOf(trial(number).pending).has_value();
}

bool savesCheckpoints(const sweep::SweepSpec &spec)
{
    return sweep::savesCheckpoints(spec.run);
}

TrialRow queuedTrial(sweep::TrialPlan plan)
{
    TrialRow row;
    row.record.number = plan.number;
    row.record.parameters = std::move(plan.parameters);
    row.record.seed = plan.seed;
    row.record.ranks = plan.ranks;
    row.record.reason = facts::Code::Queued;
    return row;
}

facts::Fact counted(facts::Code code, std::size_t count)
{
    return facts::Fact(code).with(facts::Field::Count, static_cast<std::int64_t>(count));
}

std::string listOf(const std::vector<int> &numbers)
{
    std::string list;
    for (const int number : numbers)
        list += (list.empty() ? "" : ",") + std::to_string(number);
    return list;
}

}  // namespace sweepscope::engine
