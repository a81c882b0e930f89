#include "schedule/owntrials.h"

#include "base/printable.h"
#include "schedule/sweepplan.h"

#include <algorithm>
#include <charconv>

namespace sweepscope::schedule {

OwnTrials::OwnTrials(const SweepSoFar &soFar, const std::filesystem::path &workspace)
    : m_name(printable(soFar.spec.name)), m_workspace(printable(workspace.string())), m_trials(soFar.trials)
{}

/// Another sweep of the workspace may have the same name, but not the same devices. One that has just ended may not have
/// given them back yet.
bool OwnTrials::has(int trial, const std::string &deviceId) const
{
    const auto found = std::ranges::find(m_trials, trial, &sweep::TrialRecord::number);
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
