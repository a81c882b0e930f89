#include "engine/decisions/priority.h"

#include <utility>

namespace sweepscope::engine {

Decided setPriority(const SweepView &view, const std::vector<int> &numbers, int priority)
{
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    const Fact changed = Fact(Code::PriorityChanged).with(Field::Priority, priority);
    Decision decision;
    if (numbers.empty()) {
        decision.sweep = SweepChange{view.sweep, changed};
        decision.sweep->record.priority = priority;
        decision.reply = {changed};
        return decision;
    }
    for (const int number : numbers) {
        TrialChange change{view.trial(number), {}, {}};
        if (sweep::isFinal(change.row.record.state))
            continue;
        change.row.record.priority = priority;
        change.note(changed);
        decision.trials.push_back(std::move(change));
    }
    if (decision.trials.empty())
        return tl::unexpected<Fact>(Code::TrialsHaveEnded);
    decision.reply = {counted(Code::TrialsPrioritized, decision.trials.size()).with(Field::Priority, priority)};
    return decision;
}

}  // namespace sweepscope::engine
