#pragma once

#include "device/sources.h"
#include "engine/changelistener.h"
#include "engine/deviceremarks.h"
#include "engine/devicesampler.h"
#include "engine/gpuwatch.h"
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

/// The devices of an engine's machine: samples them, tells the allocator which GPUs cannot be used now, and clients what
/// each device does.
class EngineDevices {
public:
    /// Processes of this workspace's agents.
    using Agents = std::function<std::set<pid_t>()>;

    /// Asks the drivers, which may take a second. `listener` hears of changes.
    EngineDevices(std::vector<std::unique_ptr<device::Source>> sources, ChangeListener &listener, Agents agents);

    const std::vector<device::Device> &all() const { return m_devices; }
    const device::GpuTopology &topology() const { return m_topology; }

    /// Without a sampler trials run all the same.
    void startSampler(const std::filesystem::path &feedFile);
    void setSampling(bool sampling);

    /// Takes what the sampler has read. GPUs that it found are added to the allocator.
    void poll(schedule::Allocator &allocator);
    /// After GPUs were given or released.
    void noteGpuChanges(const schedule::Allocator &allocator);
    /// Tells the allocator what is known of its GPUs.
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
    DeviceRemarks m_remarks;
    GpuWatch m_gpuWatch;
    DeviceLook m_look;
    std::set<std::string> m_gpusGiven;
    std::chrono::steady_clock::time_point m_sampledSince{};  ///< without a break
    std::unique_ptr<DeviceSampler> m_sampler;
};

}  // namespace sweepscope::engine
