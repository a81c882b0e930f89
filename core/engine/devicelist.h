#pragma once

#include "engine/deviceremarks.h"
#include "protocol/devicestatus.h"
#include "schedule/allocator.h"
#include "sweep/machinecheck.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// All devices of all sources, GPUs first as given.
std::vector<device::Device> devicesOf(const std::vector<std::unique_ptr<device::Source>> &sources);

/// What the sources have to say, one sentence after the other.
std::string notesOf(const std::vector<std::unique_ptr<device::Source>> &sources);

/// How the GPUs are connected, as far as it is known by now.
device::GpuTopology topologyOf(const std::vector<std::unique_ptr<device::Source>> &sources);

/// What is wrong with single devices, by id.
std::map<std::string, std::string> conditionsOf(const std::vector<std::unique_ptr<device::Source>> &sources);

sweep::Capacity capacityOf(const std::vector<device::Device> &devices);

/// Those that trials can be given.
std::vector<device::Device> offeredOf(const std::vector<device::Device> &devices);

/// For clients; `holderOf` names the trial behind an allocation's holder, `isOurs` knows the processes of this workspace's
/// trials.
std::vector<protocol::DeviceStatus>
deviceStatuses(const std::vector<device::Device> &devices, const schedule::Allocator &allocator,
               const DeviceRemarks &remarks, const std::function<protocol::DeviceHolder(const std::string &)> &holderOf,
               const std::function<bool(pid_t)> &isOurs);

}  // namespace sweepscope::engine
