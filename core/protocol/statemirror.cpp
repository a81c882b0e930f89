#include "protocol/statemirror.h"

#include <algorithm>

namespace sweepscope::protocol {

bool StateMirror::apply(protocol::SweepChanged &&changed)
{
    const auto place = std::lower_bound(m_sweeps.begin(), m_sweeps.end(), changed.sweep.id,
                                        [](const sweep::SweepRecord &sweep, std::int64_t id) { return sweep.id < id; });
    std::vector<sweep::TrialRecord> &trials = m_trials[changed.sweep.id];
    const std::size_t before = trials.size();
    while (!trials.empty() && trials.back().number > changed.sweep.trialsTotal)
        trials.pop_back();
    const bool isShorter = trials.size() < before;
    if (place != m_sweeps.end() && place->id == changed.sweep.id)
        *place = std::move(changed.sweep);
    else
        m_sweeps.insert(place, std::move(changed.sweep));
    return isShorter;
}

bool StateMirror::apply(protocol::TrialsChanged &&changed, const RangeChanged &rangeChanged)
{
    const auto found = m_trials.find(changed.sweepId);
    if (found == m_trials.end())
        return false;
    std::vector<sweep::TrialRecord> &trials = found->second;
    int first = 0;
    int last = 0;
    for (sweep::TrialRecord &trial : changed.trials) {
        const int number = trial.number;
        // Snapshots arrive in order, so the place is nearly always the end or already exists.
        const auto place =
            std::lower_bound(trials.begin(), trials.end(), number,
                             [](const sweep::TrialRecord &known, int wanted) { return known.number < wanted; });
        if (place != trials.end() && place->number == number)
            *place = std::move(trial);
        else
            trials.insert(place, std::move(trial));
        if (first != 0 && number != last + 1) {
            rangeChanged(first, last);
            first = 0;
        }
        if (first == 0)
            first = number;
        last = number;
    }
    if (first != 0)
        rangeChanged(first, last);
    return true;
}

void StateMirror::apply(const protocol::SweepRemoved &removed)
{
    std::erase_if(m_sweeps, [&](const sweep::SweepRecord &sweep) { return sweep.id == removed.sweepId; });
    m_trials.erase(removed.sweepId);
}

void StateMirror::apply(protocol::DevicesChanged &&changed)
{
    m_devices = std::move(changed.devices);
    m_devicesNote = std::move(changed.note);
    m_machines = std::move(changed.machines);
    m_allDevices = m_devices;
    for (const MachineStatus &machine : m_machines)
        m_allDevices.insert(m_allDevices.end(), machine.devices.begin(), machine.devices.end());
}

const sweep::SweepRecord *StateMirror::sweep(std::int64_t id) const
{
    const auto place =
        std::lower_bound(m_sweeps.begin(), m_sweeps.end(), id,
                         [](const sweep::SweepRecord &sweep, std::int64_t wanted) { return sweep.id < wanted; });
    return place != m_sweeps.end() && place->id == id ? &*place : nullptr;
}

const std::vector<sweep::TrialRecord> &StateMirror::trials(std::int64_t sweepId) const
{
    static const std::vector<sweep::TrialRecord> none;
    const auto found = m_trials.find(sweepId);
    return found != m_trials.end() ? found->second : none;
}

}  // namespace sweepscope::protocol
