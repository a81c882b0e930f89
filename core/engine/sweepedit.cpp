#include "engine/sweepedit.h"

#include <map>
#include <set>
#include <string>

namespace sweepscope::engine {

namespace {

using sweep::SweepSpec;
using sweep::TrialState;
using Problems = std::vector<sweep::Problem>;

bool isBudget(const facts::Fact &reason)
{
    return reason.code == facts::Code::TimeBudgetSpent || reason.code == facts::Code::DeviceBudgetSpent;
}

std::vector<std::string> namesOf(const SweepSpec &spec)
{
    std::vector<std::string> names;
    for (const sweep::Dimension &dimension : spec.space)
        names.push_back(dimension.name);
    return names;
}

/// Curves and results of trials that are there would not be of one kind with those of new ones.
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
    check(namesOf(before) == namesOf(after), "space", "the parameters (their values can)");
    check(before.run.worker == after.run.worker, "run.worker", "what trains");
    check(before.run.ranks == after.run.ranks, "run.ranks", "the number of ranks");
    return problems;
}

}  // namespace

tl::expected<SweepEdit, Problems> planEdit(const SweepSpec &before, const SweepSpec &after,
                                           const std::vector<TrialRow> &trials, bool hasBudget)
{
    if (Problems problems = whatCannotChange(before, after); !problems.empty())
        return tl::unexpected<Problems>(std::move(problems));
    Expected<std::vector<sweep::TrialPlan>> plans = sweep::planTrials(after);
    if (!plans)
        return tl::unexpected<Problems>(Problems{{"space", plans.error().message}});

    std::map<sweep::ParameterSet, const TrialRow *> known;
    for (const TrialRow &row : trials)
        known.emplace(row.record.parameters, &row);
    std::set<const TrialRow *> wanted;
    std::vector<sweep::ParameterSet *> unknown;
    for (sweep::TrialPlan &plan : *plans) {
        if (const auto found = known.find(plan.parameters); found != known.end())
            wanted.insert(found->second);
        else
            unknown.push_back(&plan.parameters);
    }

    SweepEdit edit;
    std::size_t staying = 0;  // of those that were planned
    for (const TrialRow &row : trials) {
        const bool isStopped = row.record.state == TrialState::Stopped;
        const bool fellToBudget = isStopped && isBudget(row.record.reason);
        if (row.enqueued) {
            if (fellToBudget && hasBudget)
                edit.restored.push_back(row.record.number);
            continue;
        }
        const bool wasRemoved = sweep::isRemoved(row.record);
        const bool isWanted = wanted.contains(&row);
        if (!isWanted && wasRemoved)
            continue;
        if (!isWanted && row.record.state == TrialState::Waiting) {
            edit.removed.push_back(row.record.number);
            continue;
        }
        if (wasRemoved || (fellToBudget && isWanted && hasBudget))
            edit.restored.push_back(row.record.number);
        ++staying;
    }
    int number = static_cast<int>(trials.size());
    for (sweep::ParameterSet *parameters : unknown) {
        if (after.method == sweep::SearchMethod::Random && staying >= after.trials)
            break;  // the number of trials is a budget: those that have run count
        ++staying;
        edit.added.push_back(sweep::planPoint(after, ++number, std::move(*parameters)));
    }
    return edit;
}

}  // namespace sweepscope::engine
