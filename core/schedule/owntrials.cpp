#include "schedule/owntrials.h"

#include "base/printable.h"
#include "schedule/sweepplan.h"

#include <algorithm>

namespace sweepscope::schedule {

OwnTrials::OwnTrials(const SweepSoFar &soFar, const std::filesystem::path &workspace)
    : m_name(printable(soFar.spec.name)), m_workspace(printable(workspace.string())), m_trials(soFar.trials)
{}

/// Another sweep of the workspace may have the same name, but not the same devices. A trial that has just ended may not
/// have released them yet.
bool OwnTrials::has(int trial, const std::string &deviceId) const
{
    const auto found = std::ranges::find(m_trials, trial, &sweep::TrialRecord::number);
    return found != m_trials.end() && std::ranges::find(found->devices, deviceId) != found->devices.end();
}

bool OwnTrials::isOfSweep(const LeaseHolder &holder) const
{
    return holder.workspace == m_workspace && holder.trial.sweep == m_name;
}

std::optional<int> OwnTrials::ownerOf(const CpuUse &use) const
{
    const int trial = use.holder.trial.number;
    const auto isItsSlot = [&](int slot) { return has(trial, "cpu:" + std::to_string(slot)); };
    return isOfSweep(use.holder) && std::ranges::all_of(use.slots, isItsSlot) ? std::optional(trial) : std::nullopt;
}

MachineNow OwnTrials::othersOf(const MachineNow &machine) const
{
    MachineNow others = machine;
    for (auto &lease : others.leases)
        std::erase_if(lease.second, [&](const LeaseHolder &holder) {
            return isOfSweep(holder) && has(holder.trial.number, lease.first);
        });
    std::erase_if(others.leases,
                  [&](const auto &each) { return each.second.empty() && !machine.leases.at(each.first).empty(); });
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
