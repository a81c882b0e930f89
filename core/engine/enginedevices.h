#pragma once

#include "device/sources.h"
#include "engine/changelistener.h"
#include "engine/gpuwatch.h"
#include "node/deviceremarks.h"
#include "node/devicesampler.h"
#include "protocol/messages.h"
#include "schedule/allocator.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::engine {

/// The devices of an engine's machine: samples them, tells the allocator which GPUs cannot be used now, and reports
/// each device's activity to clients.
class EngineDevices {
public:
    /// Processes of this workspace's agents.
    using Agents = std::function<std::set<pid_t>()>;

    /// Queries the drivers, which may take a second. `listener` is notified of changes.
    EngineDevices(std::vector<std::unique_ptr<device::Source>> sources, ChangeListener &listener, Agents agents);

    const std::vector<device::Device> &all() const { return m_devices; }
    const device::GpuTopology &topology() const { return m_topology; }
    /// The last reading, as of the last poll().
    const node::DeviceSnapshot &snapshot() const { return m_snapshot; }

    /// Starts the sampler. If that fails, trials run without it.
    void startSampler(const std::filesystem::path &feedFile);
    void setSampling(bool sampling);

    /// Takes the sampler's last reading. New GPUs are added to the allocator.
    void poll(schedule::Allocator &allocator);
    /// Call after GPUs were assigned or released.
    void noteGpuChanges(const schedule::Allocator &allocator);
    /// Updates the allocator's view of its GPUs.
    void updateStates(schedule::Allocator &allocator);

    /// `holderOf` names the trial behind an allocation's holder.
    protocol::DevicesChanged statuses(const schedule::Allocator &allocator,
                                      const std::function<protocol::DeviceHolder(const std::string &)> &holderOf) const;

private:
    void addFoundDevices(schedule::Allocator &allocator);

    std::vector<std::unique_ptr<device::Source>> m_sources;  ///< until the sampler takes them
    ChangeListener &m_listener;
    Agents m_agents;
    std::vector<device::Device> m_devices;
    device::GpuTopology m_topology;
    node::DeviceRemarks m_remarks;
    GpuWatch m_gpuWatch;
    node::DeviceSnapshot m_snapshot;
    std::set<std::string> m_gpusAssigned;
    std::chrono::steady_clock::time_point m_sampledSince{};  ///< without interruption
    std::unique_ptr<node::DeviceSampler> m_sampler;
};

}  // namespace sweepscope::engine
