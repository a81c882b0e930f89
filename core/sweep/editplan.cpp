#include "sweep/editplan.h"

#include "sweep/definitionchanges.h"

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
    const std::string instead =
        " cannot change in a sweep that was launched; launch the changed definition as a new one";
    Problems problems;
    const auto check = [&](bool same, const char *field, const std::string &what) {
        if (!same)
            problems.push_back({field, what + instead});
    };
    check(before.name == after.name, "sweep.name", "the name");
    check(before.objective == after.objective, "sweep.objective", "the objective");
    check(before.goal == after.goal, "sweep.goal", "the goal");
    check(before.method == after.method, "search.method", "the method of search");
    check(namesOf(before) == namesOf(after), "space", "the list of parameters");
    check(before.run.worker == after.run.worker, "run.worker", "what trains");
    check(before.run.ranks == after.run.ranks, "run.ranks", "the number of ranks");
    return problems;
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

    std::map<ParameterSet, const TrialRecord *> known;
    for (const TrialRecord *trial : trials)
        known.emplace(canonical(trial->parameters), trial);
    std::set<const TrialRecord *> wanted;
    std::vector<ParameterSet *> unknown;
    for (TrialPlan &plan : *plans) {
        if (const auto found = known.find(canonical(plan.parameters)); found != known.end())
            wanted.insert(found->second);
        else
            unknown.push_back(&plan.parameters);
    }

    EditPlan edit;
    edit.changes = changesBetween(before, after);
    edit.spent = spent;
    std::size_t staying = 0;  // of those that were planned
    for (const TrialRecord *trial : trials) {
        const bool isBack = fellToBudget(*trial) && !edit.spent;
        if (trial->enqueued) {
            (isBack ? edit.restored : edit.unchanged).push_back(trial->number);
            continue;
        }
        const bool isWanted = wanted.contains(trial);
        const bool wasRemoved = isRemoved(*trial);
        if (!isWanted && wasRemoved)
            continue;
        if (!isWanted && trial->state == TrialState::Waiting) {
            edit.removed.push_back(trial->number);
            continue;
        }
        (wasRemoved || (isBack && isWanted) ? edit.restored : edit.unchanged).push_back(trial->number);
        ++staying;
    }

    edit.kept = trials.empty() ? 0 : trials.back()->number;
    if (kind == EditKind::Undo) {
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
    int number = edit.kept;
    for (ParameterSet *parameters : unknown) {
        if (after.method == SearchMethod::Random && staying >= after.trials)
            break;  // the number of trials is a budget: those that have run count
        ++staying;
        edit.added.push_back(planPoint(after, ++number, std::move(*parameters)));
    }
    return edit;
}

facts::Facts trialFacts(const EditPlan &plan)
{
    facts::Facts facts;
    const auto add = [&facts](Code code, std::size_t count) {
        if (count != 0)
            facts.push_back(Fact(code).with(Field::Count, static_cast<std::int64_t>(count)));
    };
    add(Code::TrialsAdded, plan.added.size());
    add(Code::TrialsRemoved, plan.removed.size());
    add(Code::TrialsRestored, plan.restored.size());
    if (facts.empty())
        facts.emplace_back(Code::TrialsUnchanged);
    if (plan.spent)
        facts.push_back(Fact(Code::QueuedStopped).dueTo(*plan.spent));
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
    if (sweepHasEnded && !(plan.added.empty() && plan.restored.empty()))
        facts.emplace_back(Code::SweepRunsAgain);
    facts.emplace_back(Code::DefinitionApplied);
    return facts;
}

}  // namespace sweepscope::sweep
