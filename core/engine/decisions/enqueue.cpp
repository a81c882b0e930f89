#include "engine/decisions/enqueue.h"

#include "sweep/point.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// The first parameter that has a value although its condition does not hold.
std::optional<Fact> switchedOffIn(const sweep::SweepSpec &spec, const sweep::ParameterSet &parameters)
{
    const auto space = sweep::SearchSpace::compile(spec);
    const std::vector<std::string> names =
        space ? sweep::switchedOffParameters(spec, *space, parameters) : std::vector<std::string>();
    if (names.empty())
        return std::nullopt;
    const auto dimension = std::ranges::find(spec.space, names.front(), &sweep::Dimension::name);
    return Fact(Code::ParameterSwitchedOff).with(Field::Parameter, names.front()).with(Field::Detail, dimension->when);
}

/// The trial that has these parameters, and a result or the chance of one; 0 if none. Others may be tried again.
int trialWith(const SweepView &view, const sweep::ParameterSet &parameters)
{
    using sweep::TrialState;
    const sweep::ParameterSet wanted = sweep::canonical(parameters);
    for (const TrialRow &row : view.trials) {
        const TrialState state = row.record.state;
        const bool isInVain = state == TrialState::Failed || state == TrialState::Lost || state == TrialState::Stopped;
        if (!isInVain && sweep::canonical(row.record.parameters) == wanted)
            return row.record.number;
    }
    return 0;
}

}  // namespace

Decided enqueueTrial(const SweepView &view, const std::map<std::string, std::string> &point, WallNs now)
{
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
    if (const std::optional<Fact> why = switchedOffIn(view.spec, *parameters))
        return refuse(*why);
    if (const int taken = trialWith(view, *parameters); taken != 0)
        return refuse(Fact(Code::PointTaken).with(Field::Trial, taken));

    TrialRow row = queuedTrial(sweep::planPoint(view.spec, view.sweep.trialsTotal + 1, std::move(*parameters)));
    row.record.enqueued = true;
    for (const TrialRow &other : view.trials) {
        if (other.record.state == sweep::TrialState::Queued)
            row.record.priority =
                std::min(std::max(row.record.priority, other.record.priority + 1), sweep::highestPriority);
    }
    const int number = row.record.number;
    Decision decision;
    decision.sweep = SweepChange{view.sweep, Fact(Code::TrialAdded).with(Field::Trial, number)};
    sweep::SweepRecord &record = decision.sweep->record;
    ++record.trialsTotal;
    decision.reply = {Fact(Code::TrialEnqueued).with(Field::Trial, number)};
    if (view.hasEnded()) {
        record.state = sweep::SweepState::Running;
        decision.reply.emplace_back(Code::SweepRunsAgain);
    }
    sweep::reopen(record, now);
    decision.added.push_back(std::move(row));
    return decision;
}

}  // namespace sweepscope::engine
