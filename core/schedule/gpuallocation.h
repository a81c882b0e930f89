#pragma once

#include "device/device.h"
#include "schedule/devicerequest.h"
#include "schedule/refusal.h"

#include <vector>

/// Which GPUs a trial gets, and with which leases.
namespace sweepscope::schedule {

/// GPUs for `request` from `places`, those of `devices` that it may have. `leases`: null where no other engine can be on
/// the machine.
tl::expected<Choice, Refusal> chooseGpus(const Request &request, std::vector<GpuPlace> places,
                                         const std::vector<device::Device> &devices,
                                         const device::GpuTopology &topology, GpuLeases *leases);

}  // namespace sweepscope::schedule
