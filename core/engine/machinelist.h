#pragma once

#include "device/cputopology.h"
#include "device/device.h"
#include "device/gputopology.h"
#include "node/messages.h"
#include "protocol/machinestatus.h"
#include "remote/machineconnection.h"
#include "schedule/scheduler.h"

#include <functional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What another machine has, with ids that end with its name (sweep/deviceplace.h).
std::vector<device::Device> devicesOn(const std::string &machine, const node::Machine &there);
device::GpuTopology topologyOn(const std::string &machine, const node::Machine &there);
/// Each CPU as a core: how many threads a rank gets follows from their number.
device::CpuTopology coresOf(const node::Machine &there);
/// Facts cross the connection as JSON.
facts::Fact factIn(const std::string &untrustedJson);

/// Returns the machine for clients. `isUsed`: whether the engine connects to it. `holderOf` names the trial behind an
/// allocation's holder.
protocol::MachineStatus machineStatus(const remote::Machine &machine, const remote::MachineStatus &status, bool isUsed,
                                      const schedule::Scheduler::Machine &scheduled,
                                      const std::function<protocol::DeviceHolder(const std::string &)> &holderOf);

}  // namespace sweepscope::engine
