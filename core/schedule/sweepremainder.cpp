#include "schedule/sweepremainder.h"

#include "base/printable.h"
#include "schedule/sweepplan.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>

namespace sweepscope::schedule {

namespace {

using sweep::TrialPlan;
using sweep::TrialRecord;
using sweep::TrialState;

/// A paused trial of the built-in worker has given its devices back.
bool holdsDevices(const TrialRecord &trial, const sweep::SweepSpec &spec)
{
    return sweep::isUnderWay(trial.state)
           || (trial.state == TrialState::Paused && spec.run.worker == sweep::WorkerKind::Command);
}

/// Of plans that outlive it.
class Points {
public:
    explicit Points(const std::vector<TrialPlan> &plans)
    {
        for (const TrialPlan &plan : plans)
            m_points.insert(&plan.parameters);
    }
    bool has(const sweep::ParameterSet &point) const { return m_points.contains(&point); }

private:
    struct Less {
        bool operator()(const sweep::ParameterSet *a, const sweep::ParameterSet *b) const { return *a < *b; }
    };
    std::set<const sweep::ParameterSet *, Less> m_points;
};

}  // namespace

Expected<SweepRemainder> remainderOf(const sweep::SweepSpec &after, const SweepSoFar &soFar)
{
    const std::vector<TrialPlan> before = sweep::planTrials(soFar.spec).value_or(std::vector<TrialPlan>());
    Expected<std::vector<TrialPlan>> plans = sweep::planTrials(after);
    if (!plans)
        return tl::unexpected<Error>(plans.error());
    const Points planned(before);
    const Points wanted(*plans);

    SweepRemainder left;
    std::map<int, int> priorities;  // by trial
    std::set<sweep::ParameterSet> known;
    std::size_t staying = 0;
    for (const TrialRecord &trial : soFar.trials) {
        known.insert(trial.parameters);
        const bool isWanted = wanted.has(trial.parameters);
        const bool isAskedFor = !planned.has(trial.parameters);
        const bool mayStart =
            trial.state == TrialState::Waiting ? isWanted || isAskedFor : sweep::isRemoved(trial) && isWanted;
        if (mayStart) {
            left.waiting.push_back(sweep::planPoint(after, trial.number, trial.parameters));
            priorities[trial.number] = trial.priority;
        } else if (trial.state == TrialState::Waiting || sweep::isRemoved(trial)) {
            continue;
        } else if (holdsDevices(trial, after)) {
            left.holding.push_back(trial);
        }
        ++staying;
    }
    std::ranges::stable_sort(left.waiting, std::greater<>(),
                             [&](const TrialPlan &trial) { return priorities[trial.number]; });
    int number = soFar.trials.empty() ? 0 : std::ranges::max(soFar.trials, {}, &TrialRecord::number).number;
    for (TrialPlan &plan : *plans) {
        if (after.method == sweep::SearchMethod::Random && staying >= after.trials)
            break;
        if (known.contains(plan.parameters))
            continue;
        left.waiting.push_back(sweep::planPoint(after, ++number, std::move(plan.parameters)));
        ++staying;
    }
    return left;
}

OwnTrials::OwnTrials(const SweepSoFar &soFar, const std::filesystem::path &workspace)
    : m_name(printable(soFar.spec.name)), m_workspace(printable(workspace.string())), m_trials(soFar.trials)
{}

/// Another sweep of the workspace may have the same name, but not the same devices. One that has just ended may not have
/// given them back yet.
bool OwnTrials::has(int trial, const std::string &deviceId) const
{
    const auto found = std::ranges::find(m_trials, trial, &TrialRecord::number);
    return found != m_trials.end() && std::ranges::find(found->devices, deviceId) != found->devices.end();
}

std::optional<int> OwnTrials::ownerOf(const CpuUse &use) const
{
    const std::string begin = m_name + ", trial ";
    if (use.workspace != m_workspace || !use.holder.starts_with(begin))
        return std::nullopt;
    int trial = 0;
    std::from_chars(use.holder.data() + begin.size(), use.holder.data() + use.holder.size(), trial);
    const auto isItsSlot = [&](int slot) { return has(trial, "cpu:" + std::to_string(slot)); };
    return trial > 0 && std::ranges::all_of(use.slots, isItsSlot) ? std::optional(trial) : std::nullopt;
}

MachineNow OwnTrials::othersOf(const MachineNow &machine) const
{
    MachineNow others = machine;
    const auto isOwn = [this](const LeaseHolder &holder) {
        const auto trial = holder.trial();
        return holder.workspace == m_workspace && trial && trial->first == m_name;
    };
    for (auto &lease : others.leases)
        std::erase_if(lease.second, [&](const LeaseHolder &holder) {
            return isOwn(holder) && has(holder.trial()->second, lease.first);
        });
    std::erase_if(others.leases,
                  [&](const auto &each) { return each.second.empty() && !machine.leases.at(each.first).empty(); });
    std::erase_if(others.next, [&](const auto &each) { return isOwn(each.second); });
    std::erase_if(others.cpuUses, [this](const CpuUse &use) { return ownerOf(use).has_value(); });
    return others;
}

std::vector<std::vector<int>> OwnTrials::cpusOf(int trial, const MachineNow &machine) const
{
    for (const CpuUse &use : machine.cpuUses) {
        if (ownerOf(use) == trial)
            return use.cpus;
    }
    return {};
}

}  // namespace sweepscope::schedule
