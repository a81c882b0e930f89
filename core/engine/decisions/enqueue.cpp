#include "engine/decisions/enqueue.h"

#include "sweep/command.h"
#include "sweep/continuedpoint.h"
#include "sweep/deviceplace.h"
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

Fact invalidInput(std::string why)
{
    return Fact(Code::InvalidInput).with(Field::Detail, std::move(why));
}

std::optional<Fact> whyNoTrialIsAdded(const SweepView &view, std::size_t count)
{
    if (view.sweep.state == sweep::SweepState::Stopping)
        return Code::SweepIsStopping;
    if (view.budgetSpent)
        return Fact(Code::BudgetMustGrow).dueTo(*view.budgetSpent);
    if (const auto problem = sweep::missingProgram(view.spec))
        return invalidInput(problem->message);
    if (view.trials.size() + count > sweep::maxTrials)
        return Fact(Code::TooManyTrials).with(Field::Limit, static_cast<std::int64_t>(sweep::maxTrials));
    return std::nullopt;
}

/// `rows` start before the queued trials, in their order. The reply says what becomes of the sweep, if it had ended.
Decision addFirst(const SweepView &view, std::vector<TrialRow> rows, Fact reason, WallNs now)
{
    int priority = 0;
    for (const TrialRow &other : view.trials) {
        if (other.record.state == sweep::TrialState::Queued)
            priority = std::min(std::max(priority, other.record.priority + 1), sweep::highestPriority);
    }
    Decision decision;
    decision.sweep = SweepChange{view.sweep, std::move(reason)};
    sweep::SweepRecord &record = decision.sweep->record;
    record.trialsTotal += static_cast<int>(rows.size());
    if (view.hasEnded()) {
        record.state = sweep::SweepState::Running;
        decision.reply.emplace_back(Code::SweepRunsAgain);
    }
    sweep::reopen(record, now);
    for (TrialRow &row : rows) {
        row.record.enqueued = true;
        row.record.priority = priority;
    }
    decision.added = std::move(rows);
    return decision;
}

/// Why the checkpoint of this trial cannot be continued, as far as its record tells.
std::optional<Fact> whyNotContinued(const SweepView &view, int number)
{
    const std::string name = "trial " + std::to_string(number);
    const sweep::TrialRecord &trial = view.trial(number).record;
    if (!sweep::isFinal(trial.state))
        return invalidInput(name + " has not ended");
    if (trial.attempts == 0)
        return invalidInput(name + " has not run, so it has saved no checkpoint");
    const std::string machine = trial.devices.empty() ? std::string() : sweep::machineOf(trial.devices.front());
    if (!machine.empty())
        return invalidInput("the checkpoint of " + name + " is on the machine " + machine
                            + "; trials can continue only checkpoints on this machine");
    return std::nullopt;
}

/// The trial that continues `parent` with these parameters, and has a result or the chance of one; 0 if none.
int continuationWith(const SweepView &view, int parent, const sweep::ParameterSet &parameters)
{
    using sweep::TrialState;
    const sweep::ParameterSet wanted = sweep::canonical(parameters);
    for (const TrialRow &row : view.trials) {
        const TrialState state = row.record.state;
        const bool isInVain = state == TrialState::Failed || state == TrialState::Lost || state == TrialState::Stopped;
        if (!isInVain && sweep::parentOf(row.record.chosen) == parent
            && sweep::canonical(row.record.parameters) == wanted)
            return row.record.number;
    }
    return 0;
}

/// What differs from the trial that it continues.
Fact chosenToContinue(const sweep::TrialRecord &parent, const sweep::ParameterSet &parameters)
{
    Fact chosen = Fact(Code::ChosenToContinue).with(Field::Trial, parent.number);
    for (const auto &[name, value] : parameters) {
        const sweep::ParameterValue *before = sweep::find(parent.parameters, name);
        if (before != nullptr && sweep::canonical(*before) == sweep::canonical(value))
            continue;
        Fact change = Fact(Code::KeyChanged).with(Field::Key, name).with(Field::After, sweep::toText(value));
        if (before != nullptr)
            change = std::move(change).with(Field::Before, sweep::toText(*before));
        chosen = std::move(chosen).dueTo(std::move(change));
    }
    return chosen;
}

}  // namespace

Decided enqueueTrial(const SweepView &view, const std::map<std::string, std::string> &point, WallNs now)
{
    const auto refuse = [](Fact why) { return tl::unexpected<Fact>(std::move(why)); };
    if (std::optional<Fact> why = whyNoTrialIsAdded(view, 1))
        return refuse(std::move(*why));
    Expected<sweep::ParameterSet> parameters = sweep::parsePoint(view.spec, point);
    if (!parameters)
        return refuse(invalidInput(parameters.error().message));
    if (const std::optional<Fact> why = switchedOffIn(view.spec, *parameters))
        return refuse(*why);
    if (const int taken = trialWith(view, *parameters); taken != 0)
        return refuse(Fact(Code::PointTaken).with(Field::Trial, taken));

    const int number = view.sweep.trialsTotal + 1;
    Decision decision = addFirst(view, {queuedTrial(sweep::planPoint(view.spec, number, std::move(*parameters)))},
                                 Fact(Code::TrialAdded).with(Field::Trial, number), now);
    decision.reply.insert(decision.reply.begin(), Fact(Code::TrialEnqueued).with(Field::Trial, number));
    return decision;
}

Decided continueTrials(const SweepView &view, const std::vector<int> &parents,
                       const std::map<std::string, std::string> &changes, WallNs now)
{
    const auto refuse = [](Fact why) { return tl::unexpected<Fact>(std::move(why)); };
    if (std::optional<Fact> why = whyNoTrialIsAdded(view, parents.size()))
        return refuse(std::move(*why));
    if (view.spec.method == sweep::SearchMethod::Pbt && view.sweep.trialsToCome != 0)
        return refuse(invalidInput("the search method pbt continues trials itself until the search has ended"));
    if (sweep::usesOtherMachines(view.spec.devices))
        return refuse(
            invalidInput("trials of this sweep may run on other machines, where checkpoints of other trials are "
                         "missing; edit devices.machines first"));
    std::vector<TrialRow> rows;
    for (const int parent : parents) {
        if (std::optional<Fact> why = whyNotContinued(view, parent))
            return refuse(std::move(*why));
        const sweep::TrialRecord &before = view.trial(parent).record;
        Expected<sweep::ParameterSet> parameters = sweep::continuedPoint(view.spec, before.parameters, changes);
        if (!parameters)
            return refuse(invalidInput(parameters.error().message));
        if (const std::optional<Fact> why = switchedOffIn(view.spec, *parameters))
            return refuse(*why);
        const bool isDone = view.spec.run.worker == sweep::WorkerKind::Builtin
                            && before.state == sweep::TrialState::Completed
                            && sweep::canonical(before.parameters) == sweep::canonical(*parameters);
        if (isDone)
            return refuse(invalidInput("trial " + std::to_string(parent)
                                       + " has completed: change a setting, such as epochs=60"));
        if (const int taken = continuationWith(view, parent, *parameters); taken != 0)
            return refuse(Fact(Code::PointTaken).with(Field::Trial, taken));
        Fact chosen = chosenToContinue(before, *parameters);
        const int number = view.sweep.trialsTotal + 1 + static_cast<int>(rows.size());
        TrialRow row = queuedTrial(sweep::planPoint(view.spec, number, std::move(*parameters)));
        row.record.seed = before.seed;  // split and order of the data continue, too
        row.record.chosen = std::move(chosen);
        rows.push_back(std::move(row));
    }
    const Fact added = counted(Code::TrialsAdded, rows.size());
    Decision decision = addFirst(view, std::move(rows), added, now);
    decision.reply.insert(decision.reply.begin(), added);
    return decision;
}

}  // namespace sweepscope::engine
