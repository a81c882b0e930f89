#include "sweep/editplan.h"

#include "sweep/command.h"
#include "sweep/definitionchanges.h"
#include "sweep/point.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace sweepscope::sweep {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;
using Problems = std::vector<Problem>;

std::vector<std::string> namesOf(const SweepSpec &spec)
{
    std::vector<std::string> names;
    for (const Dimension &dimension : spec.space)
        names.push_back(dimension.name);
    return names;
}

/// Otherwise curves and results of new trials could not be compared with those of earlier ones.
Problems whatCannotChange(const SweepSpec &before, const SweepSpec &after)
{
    const std::string instead = " cannot be changed after launch; start the changed definition as a new sweep";
    Problems problems;
    const auto check = [&](bool same, const char *field, const std::string &what) {
        if (!same)
            problems.push_back({field, what + instead});
    };
    check(before.objectives == after.objectives, "objectives", "objectives");
    check(before.method == after.method, "search.method", "the search method");
    check(namesOf(before) == namesOf(after), "space", "the set of parameters");
    check(before.run.worker == after.run.worker, "run.worker", "the worker");
    check(before.run.ranks == after.run.ranks, "run.ranks", "the number of ranks");
    return problems;
}

/// "2,4-9"; empty if these are many ranges.
std::string rangesOf(std::vector<int> numbers)
{
    constexpr int mostRanges = 10;
    std::ranges::sort(numbers);
    std::string text;
    int ranges = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t first = i;
        while (i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1)
            ++i;
        if (++ranges > mostRanges)
            return {};
        text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
        if (i > first)
            text += (i > first + 1 ? "-" : ",") + std::to_string(numbers[i]);
    }
    return text;
}

bool canBeDiscarded(const TrialRecord &trial)
{
    return trial.attempts == 0 && !trial.started && trial.mark.isEmpty();
}

}  // namespace

tl::expected<EditPlan, Problems> planEdit(const SweepSpec &before, const SweepSpec &after,
                                          std::span<const TrialRecord *const> trials,
                                          const std::optional<facts::Fact> &spent, EditKind kind)
{
    if (Problems problems = whatCannotChange(before, after); !problems.empty())
        return tl::unexpected<Problems>(std::move(problems));
    Expected<std::vector<TrialPlan>> plans = planTrials(after);
    if (!plans)
        return tl::unexpected<Problems>(Problems{{"space", plans.error().message}});
    return planEdit(before, after, std::move(*plans), trials, spent, kind);
}

tl::expected<EditPlan, Problems> planEdit(const SweepSpec &before, const SweepSpec &after, std::vector<TrialPlan> plans,
                                          std::span<const TrialRecord *const> trials,
                                          const std::optional<facts::Fact> &spent, EditKind kind)
{
    if (Problems problems = whatCannotChange(before, after); !problems.empty())
        return tl::unexpected<Problems>(std::move(problems));
    const bool isOpen = isOpenEnded(after);
    const auto space = SearchSpace::compile(after);
    if (!space)
        return tl::unexpected(space.error());
    std::map<ParameterSet, const TrialRecord *> known;
    for (const TrialRecord *trial : trials) {
        if (!isOpen)
            known.emplace(canonical(trial->parameters), trial);
    }
    std::set<const TrialRecord *> wanted;
    std::vector<ParameterSet *> unknown;
    for (TrialPlan &plan : plans) {
        if (const auto found = known.find(canonical(plan.parameters)); found != known.end())
            wanted.insert(found->second);
        else
            unknown.push_back(&plan.parameters);
    }

    EditPlan edit;
    edit.changes = changesBetween(before, after);
    edit.spent = spent;
    edit.isSearch = isOpen;
    edit.repeats = after.repeats;
    std::size_t staying = 0;  // of those that were planned
    for (const TrialRecord *trial : trials) {
        const bool isBack = fellToBudget(*trial) && !edit.spent;
        if (trial->state == TrialState::Queued)
            ++edit.waiting;
        if (trial->enqueued) {
            (isBack ? edit.restored : edit.unchanged).push_back(trial->number);
            continue;
        }
        const bool isWanted = isOpen ? isInSpace(after, *space, trial->parameters) : wanted.contains(trial);
        const bool wasRemoved = isRemoved(*trial);
        if (!isWanted && wasRemoved)
            continue;
        if (!isWanted && trial->state == TrialState::Queued) {
            edit.removed.push_back(trial->number);
            --edit.waiting;
            continue;
        }
        (wasRemoved || (isBack && isWanted) ? edit.restored : edit.unchanged).push_back(trial->number);
        ++staying;
    }

    edit.kept = trials.empty() ? 0 : trials.back()->number;
    if (kind == EditKind::Undo && !isOpen) {  // a search never gives a number twice
        std::size_t end = trials.size();
        std::size_t removed = edit.removed.size();
        while (removed > 0 && trials[end - 1]->number == edit.removed[removed - 1]
               && canBeDiscarded(*trials[end - 1])) {
            --end;
            --removed;
        }
        edit.discarded.assign(edit.removed.begin() + static_cast<std::ptrdiff_t>(removed), edit.removed.end());
        edit.kept = end > 0 ? trials[end - 1]->number : 0;
    }
    edit.changesSearch = before.trials != after.trials || before.repeats != after.repeats
                         || before.outcomeConstraints != after.outcomeConstraints || before.space != after.space
                         || before.constraints != after.constraints || before.budget != after.budget
                         || before.stop != after.stop || before.searchCommand != after.searchCommand
                         || before.sampler != after.sampler;
    if (isOpen && !spent) {
        edit.toCome = trialsToSearch(after);
        if (edit.toCome)
            edit.toCome = std::max(0, *edit.toCome - static_cast<int>(staying));
    }
    int number = edit.kept;
    for (ParameterSet *parameters : unknown) {
        if (after.method == SearchMethod::Random && staying >= after.trials)
            break;  // the number of trials is a budget: those that have run count
        ++staying;
        edit.added.push_back(planPoint(after, ++number, std::move(*parameters)));
    }
    edit.waiting += static_cast<int>(edit.added.size() + edit.restored.size());
    if (std::optional<Problem> problem = missingProgram(after); problem && edit.runsAgain())
        return tl::unexpected<Problems>(Problems{std::move(*problem)});
    return edit;
}

facts::Facts trialFacts(const EditPlan &plan)
{
    facts::Facts facts;
    const auto add = [&facts](Code code, std::vector<int> trials) {
        if (trials.empty())
            return;
        Fact fact = Fact(code).with(Field::Count, static_cast<std::int64_t>(trials.size()));
        if (std::string ranges = rangesOf(std::move(trials)); !ranges.empty())
            fact = std::move(fact).with(Field::Trials, std::move(ranges));
        facts.push_back(std::move(fact));
    };
    std::vector<int> added;
    for (const TrialPlan &trial : plan.added)
        added.push_back(trial.number);
    add(Code::TrialsAdded, std::move(added));
    add(Code::TrialsRemoved, plan.removed);
    add(Code::TrialsRestored, plan.restored);
    if (plan.isSearch && plan.changesSearch) {
        Fact toChoose = Code::TrialsToChoose;
        if (plan.toCome)
            toChoose = std::move(toChoose).with(Field::Count, *plan.toCome);
        if (plan.repeats > 1)
            toChoose = std::move(toChoose).with(Field::Limit, plan.repeats);
        facts.push_back(plan.spent ? std::move(toChoose).dueTo(*plan.spent) : std::move(toChoose));
    }
    if (facts.empty())
        facts.emplace_back(Code::TrialsUnchanged);
    if (plan.spent && plan.waiting > 0)
        facts.push_back(Fact(Code::QueuedStopped).with(Field::Count, plan.waiting).dueTo(*plan.spent));
    return facts;
}

facts::Facts changeFacts(const EditPlan &plan)
{
    facts::Facts facts = trialFacts(plan);
    facts.insert(facts.end(), plan.changes.begin(), plan.changes.end());
    return facts;
}

facts::Facts answerFacts(const EditPlan &plan, bool sweepHasEnded)
{
    facts::Facts facts = changeFacts(plan);
    if (sweepHasEnded && plan.runsAgain())
        facts.emplace_back(Code::SweepRunsAgain);
    const bool changesNoRun = std::ranges::all_of(plan.changes, [](const Fact &change) {
        const std::string key = change.text(Field::Key);
        const bool isNewMetric =
            key.starts_with("run.metrics.") && key != "run.metrics.tensorboard" && change.text(Field::Before).empty();
        return key == "sweep.name" || key == "sweep.objective" || key == "sweep.goal" || isNewMetric;
    });
    if (!changesNoRun || plan.changes.empty())
        facts.emplace_back(Code::DefinitionApplied);
    else if (facts.front().code == Code::TrialsUnchanged)
        facts.erase(facts.begin());  // a rename never adds trials
    return facts;
}

}  // namespace sweepscope::sweep
