#pragma once

#include "engine/deviceremarks.h"
#include "protocol/devicestatus.h"
#include "schedule/allocator.h"
#include "sweep/machinecheck.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// Returns the devices of all sources, with GPUs first in their order.
std::vector<device::Device> devicesOf(const std::vector<std::unique_ptr<device::Source>> &sources);

/// Returns the notes of all sources as consecutive sentences.
std::string notesOf(const std::vector<std::unique_ptr<device::Source>> &sources);

/// Returns how the GPUs are connected, as far as known.
device::GpuTopology topologyOf(const std::vector<std::unique_ptr<device::Source>> &sources);

/// What is wrong with single GPUs.
facts::Facts conditionsOf(const std::vector<std::unique_ptr<device::Source>> &sources);

sweep::Capacity capacityOf(const std::vector<device::Device> &devices);

/// Returns the devices that trials can use.
std::vector<device::Device> offeredOf(const std::vector<device::Device> &devices);

/// Returns the devices for clients. `holderOf` names the trial behind an allocation's holder; `isOurs` recognises the
/// processes of this workspace's trials.
std::vector<protocol::DeviceStatus>
deviceStatuses(const std::vector<device::Device> &devices, const schedule::Allocator &allocator,
               const DeviceRemarks &remarks, const std::function<protocol::DeviceHolder(const std::string &)> &holderOf,
               const std::function<bool(pid_t)> &isOurs);

}  // namespace sweepscope::engine
