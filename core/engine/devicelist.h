#pragma once

#include "node/deviceremarks.h"
#include "protocol/devicestatus.h"
#include "schedule/allocator.h"
#include "sweep/machinecheck.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::engine {

sweep::Capacity capacityOf(const std::vector<device::Device> &devices);

/// Returns the devices that trials can use.
std::vector<device::Device> offeredOf(const std::vector<device::Device> &devices);

/// Returns the devices for clients. `holderOf` names the trial behind an allocation's holder; `isOurs` recognises the
/// processes of this workspace's trials.
std::vector<protocol::DeviceStatus>
deviceStatuses(const std::vector<device::Device> &devices, const schedule::Allocator &allocator,
               const node::DeviceRemarks &remarks,
               const std::function<protocol::DeviceHolder(const std::string &)> &holderOf,
               const std::function<bool(pid_t)> &isOurs);

}  // namespace sweepscope::engine
