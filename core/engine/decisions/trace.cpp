#include "engine/decisions/trace.h"

#include <utility>

namespace sweepscope::engine {

Decided traceTrials(const SweepView &view, const std::vector<int> &numbers, int steps)
{
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    const Fact requested = Fact(Code::TraceRequested).with(Field::Count, steps);
    Decision decision;
    std::vector<int> skipped;
    for (const int number : numbers) {
        TrialChange change{view.trial(number), {}, {}};
        const bool isRunning = change.row.record.state == sweep::TrialState::Running && view.hasAttempt(number);
        if (!isRunning || view.isStopping(number)) {
            skipped.push_back(number);
            continue;
        }
        change.note(requested);
        decision.effects.push_back({number, AttemptAction::Trace, steps});
        decision.trials.push_back(std::move(change));
    }
    if (decision.effects.empty())
        return tl::unexpected<Fact>(Code::NothingToTrace);
    decision.reply = {requested, counted(Code::RunningTraced, decision.effects.size())};
    if (!skipped.empty())
        decision.reply.push_back(Fact(Code::TrialsNotTraced).with(Field::Trials, listOf(skipped)));
    return decision;
}

}  // namespace sweepscope::engine
