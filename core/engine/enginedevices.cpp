#include "engine/engine.h"

#include "device/foreignprocesses.h"
#include "engine/devicelist.h"

#include <algorithm>
#include <utility>

/// What the engine knows of its devices, and what the scheduler is told of them.
namespace sweepscope::engine {

void Engine::startSampler()
{
    Expected<std::unique_ptr<DeviceSampler>> sampler =
        DeviceSampler::start(std::move(m_sources), m_workspace.devicesFeed());
    if (sampler)
        m_sampler = std::move(*sampler);
    else
        note("the devices are not sampled: " + sampler.error().message);  // trials run without it
    sampleWhileNeeded();
}

/// While sweeps run or somebody looks.
void Engine::sampleWhileNeeded()
{
    const bool onlyWatched = m_runs.empty() && m_server.isWatchingDevices();
    const bool isNeeded = !m_runs.empty() || onlyWatched;
    if (!isNeeded)
        m_sampledSince = {};
    else if (m_sampledSince == std::chrono::steady_clock::time_point())
        m_sampledSince = std::chrono::steady_clock::now();
    if (m_sampler)
        m_sampler->setSampling(isNeeded);
    if (!onlyWatched)
        m_lookAtDevices.stop();  // the tick does it, or nobody asks
    else if (!m_lookAtDevices.isActive())
        m_lookAtDevices.start();
}

void Engine::watchDevices()
{
    if (m_sampler) {
        m_look = m_sampler->look();
        addFoundDevices();
    }
    const std::optional<DeviceRemarks> remarks = m_sampler ? m_sampler->remarks() : std::nullopt;
    if (!remarks || *remarks == m_remarks)
        return;
    if (remarks->note != m_remarks.note)
        note(remarks->note.empty() ? "nothing is wrong with the devices any more" : remarks->note);
    m_remarks = *remarks;
    devicesChanged();
}

/// A GPU may come to be seen when sweeps wait for it already.
void Engine::addFoundDevices()
{
    for (const device::Device &found : m_look.known) {
        const bool isKnown = std::any_of(m_devices.begin(), m_devices.end(),
                                         [&](const device::Device &device) { return device.id == found.id; });
        if (isKnown)
            continue;
        note("found " + found.name + " (" + found.id + ")");
        m_devices.push_back(found);
        if (found.offered)
            m_scheduler.allocator().add(found);
        m_scheduler.allocator().setTopology(m_look.topology);
        devicesChanged();
    }
}

void Engine::noteGpuChanges()
{
    const schedule::Allocator &allocator = m_scheduler.allocator();
    const auto now = std::chrono::steady_clock::now();
    bool released = false;
    for (const device::Device &device : allocator.devices()) {
        if (device.kind != device::Kind::Gpu)
            continue;
        const bool isGiven = !allocator.holders(device.id).empty();
        if (isGiven && m_gpusGiven.insert(device.id).second)
            m_gpuWatch.given(device.id, m_look);
        if (!isGiven && m_gpusGiven.erase(device.id) > 0) {
            m_gpuWatch.released(device.id, now);
            released = true;
        }
    }
    if (m_sampler)
        m_sampler->setOwn(agents(), m_gpusGiven);
    if (released && m_sampler)
        m_sampler->readSoon();
}

/// Without a sampler nothing is known, and nobody waits for what nobody will learn.
void Engine::tellWhatIsInTheWay()
{
    if (!m_sampler)
        return;
    std::vector<device::Device> gpus;
    for (const device::Device &device : m_scheduler.allocator().devices()) {
        if (device.kind == device::Kind::Gpu)
            gpus.push_back(device);
    }
    if (gpus.empty())
        return;
    const auto isHeld = [this](const std::string &id) { return m_gpusGiven.contains(id); };
    m_scheduler.allocator().setStates(
        m_gpuWatch.states(gpus, m_look, isHeld, m_sampledSince, std::chrono::steady_clock::now()));
    for (const std::string &warning : m_gpuWatch.takeWarnings())
        note(warning);
}

std::set<pid_t> Engine::agents() const
{
    std::set<pid_t> agents;
    for (const auto &[id, run] : m_runs)
        run->addAgents(agents);
    return agents;
}

protocol::DevicesChanged Engine::devices() const
{
    const auto holderOf = [this](const std::string &holder) {
        const schedule::Scheduler::Holder trial =
            schedule::Scheduler::parseHolder(holder).value_or(schedule::Scheduler::Holder());
        const sweep::SweepRecord *record = sweep(trial.sweepId);
        return protocol::DeviceHolder{trial.sweepId, record ? QString::fromStdString(record->name) : QString(),
                                      trial.trial};
    };
    return {deviceStatuses(m_devices, m_scheduler.allocator(), m_remarks, holderOf,
                           [ours = agents()](pid_t pid) { return device::descendsFrom(pid, ours); }),
            QString::fromStdString(m_remarks.note)};
}

}  // namespace sweepscope::engine
