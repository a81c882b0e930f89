#include "engine/decisions/enqueue.h"

#include "sweep/point.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

Decided enqueueTrial(const SweepView &view, const std::map<std::string, std::string> &point, WallNs now)
{
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    const auto refuse = [](Fact why) { return tl::unexpected<Fact>(std::move(why)); };
    if (view.sweep.state == sweep::SweepState::Stopping)
        return refuse(Code::SweepIsStopping);
    if (view.budgetSpent)
        return refuse(Fact(Code::BudgetMustGrow).dueTo(*view.budgetSpent));
    if (view.trials.size() >= sweep::maxTrials)
        return refuse(Fact(Code::TooManyTrials).with(Field::Limit, static_cast<std::int64_t>(sweep::maxTrials)));
    Expected<sweep::ParameterSet> parameters = sweep::parsePoint(view.spec, point);
    if (!parameters)
        return refuse(Fact(Code::InvalidInput).with(Field::Detail, parameters.error().message));

    TrialRow row = queuedTrial(sweep::planPoint(view.spec, view.sweep.trialsTotal + 1, std::move(*parameters)));
    row.record.enqueued = true;
    for (const TrialRow &other : view.trials) {
        if (other.record.state == sweep::TrialState::Waiting)
            row.record.priority =
                std::min(std::max(row.record.priority, other.record.priority + 1), sweep::highestPriority);
    }
    const int number = row.record.number;
    Decision decision;
    decision.sweep = SweepChange{view.sweep, Fact(Code::TrialAdded).with(Field::Trial, number)};
    sweep::SweepRecord &record = decision.sweep->record;
    ++record.trialsTotal;
    if (view.hasEnded())
        record.state = sweep::SweepState::Running;
    sweep::takeUp(record, now);
    decision.added.push_back(std::move(row));
    decision.reply = {Fact(Code::TrialEnqueued).with(Field::Trial, number)};
    return decision;
}

}  // namespace sweepscope::engine
