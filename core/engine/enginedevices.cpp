#include "engine/enginedevices.h"

#include "base/log.h"
#include "device/foreignprocesses.h"
#include "engine/devicelist.h"
#include "process/processstat.h"
#include "wording/sentence.h"

#include <QString>

#include <algorithm>
#include <iterator>
#include <utility>

namespace sweepscope::engine {

EngineDevices::EngineDevices(std::vector<std::unique_ptr<device::Source>> sources, ChangeListener &listener,
                             Agents agents)
    : m_sources(std::move(sources)),
      m_listener(listener),
      m_agents(std::move(agents)),
      m_devices(device::devicesOf(m_sources)),
      m_topology(device::topologyOf(m_sources)),
      m_remarks{device::notesOf(m_sources), device::conditionsOf(m_sources)},
      m_gpuWatch([this](pid_t pid) { return device::descendsFrom(pid, m_agents()); },
                 [](pid_t pid) { return process::readProcessStat(pid).has_value(); })
{}

void EngineDevices::startSampler(const std::filesystem::path &feedFile)
{
    Expected<std::unique_ptr<node::DeviceSampler>> sampler = node::DeviceSampler::start(std::move(m_sources), feedFile);
    if (sampler)
        m_sampler = std::move(*sampler);
    else
        log(LogLevel::Warning, "devices", "the devices are not sampled: " + sampler.error().message);
}

void EngineDevices::setSampling(bool sampling)
{
    if (!sampling)
        m_sampledSince = {};
    else if (m_sampledSince == std::chrono::steady_clock::time_point())
        m_sampledSince = std::chrono::steady_clock::now();
    if (m_sampler)
        m_sampler->setSampling(sampling);
}

void EngineDevices::poll(schedule::Allocator &allocator)
{
    if (!m_sampler)
        return;
    m_snapshot = m_sampler->snapshot();
    addFoundDevices(allocator);
    const std::optional<node::DeviceRemarks> remarks = m_sampler->remarks();
    if (!remarks || *remarks == m_remarks)
        return;
    if (!remarks->note.empty() && remarks->note != m_remarks.note)
        log(LogLevel::Warning, "devices", remarks->note);
    for (const facts::Fact &fact : remarks->conditions) {
        if (std::ranges::find(m_remarks.conditions, fact) == m_remarks.conditions.end())
            log(LogLevel::Warning, "devices", wording::sentence(fact));
    }
    const bool isWrong = !remarks->note.empty() || !remarks->conditions.empty();
    if (!isWrong && !(m_remarks.note.empty() && m_remarks.conditions.empty()))
        log(LogLevel::Warning, "devices", "all devices work again");
    m_remarks = *remarks;
    m_listener.devicesChanged();
}

/// A GPU may be found only after sweeps already wait for it.
void EngineDevices::addFoundDevices(schedule::Allocator &allocator)
{
    for (const device::Device &found : m_snapshot.known) {
        const bool isKnown = std::any_of(m_devices.begin(), m_devices.end(),
                                         [&](const device::Device &device) { return device.id == found.id; });
        if (isKnown)
            continue;
        log(LogLevel::Info, "devices", "found " + found.name + " (" + found.id + ")");
        m_devices.push_back(found);
        if (found.offered)
            allocator.add(found);
        m_topology = m_snapshot.topology;
        allocator.setTopology(m_topology);
        m_listener.devicesChanged();
    }
}

void EngineDevices::noteGpuChanges(const schedule::Allocator &allocator)
{
    const auto now = std::chrono::steady_clock::now();
    bool released = false;
    for (const device::Device &device : allocator.devices()) {
        if (device.kind != device::Kind::Gpu)
            continue;
        const bool isAssigned = !allocator.holders(device.id).empty();
        if (isAssigned && m_gpusAssigned.insert(device.id).second)
            m_gpuWatch.assigned(device.id, m_snapshot);
        if (!isAssigned && m_gpusAssigned.erase(device.id) > 0) {
            m_gpuWatch.released(device.id, now);
            released = true;
        }
    }
    if (m_sampler)
        m_sampler->setOwn(m_agents(), m_gpusAssigned);
    if (released && m_sampler)
        m_sampler->readSoon();
}

/// Without a sampler the state is never known, so no trial waits for it.
void EngineDevices::updateStates(schedule::Allocator &allocator)
{
    if (!m_sampler)
        return;
    std::vector<device::Device> gpus;
    for (const device::Device &device : allocator.devices()) {
        if (device.kind == device::Kind::Gpu)
            gpus.push_back(device);
    }
    if (gpus.empty())
        return;
    const auto isHeld = [this](const std::string &id) { return m_gpusAssigned.contains(id); };
    allocator.setStates(m_gpuWatch.states(gpus, m_snapshot, isHeld, m_sampledSince, std::chrono::steady_clock::now()));
    for (const facts::Fact &warning : m_gpuWatch.takeWarnings())
        log(LogLevel::Warning, "devices", wording::sentence(warning));
}

protocol::DevicesChanged
EngineDevices::statuses(const schedule::Allocator &allocator,
                        const std::function<protocol::DeviceHolder(const std::string &)> &holderOf) const
{
    // A GPU that could not be opened has no status.
    facts::Facts closed;
    std::ranges::copy_if(m_remarks.conditions, std::back_inserter(closed),
                         [](const facts::Fact &fact) { return fact.text(facts::Field::Device).empty(); });
    const std::string note =
        m_remarks.note + (m_remarks.note.empty() || closed.empty() ? "" : ". ") + wording::sentences(closed);
    return {deviceStatuses(m_devices, allocator, m_remarks, holderOf,
                           [ours = m_agents()](pid_t pid) { return device::descendsFrom(pid, ours); }),
            QString::fromStdString(note)};
}

}  // namespace sweepscope::engine
