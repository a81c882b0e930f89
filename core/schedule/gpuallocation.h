#pragma once

#include "device/device.h"
#include "schedule/devicerequest.h"
#include "schedule/refusal.h"

#include <vector>

/// Chooses and leases GPUs for a trial.
namespace sweepscope::schedule {

/// Chooses GPUs for `request` from `places`, the allowed ones of `devices`. `leases`: null if no other engine can run
/// on the machine.
tl::expected<Choice, Refusal> chooseGpus(const Request &request, std::vector<GpuPlace> places,
                                         const std::vector<device::Device> &devices,
                                         const device::GpuTopology &topology, GpuLeases *leases);

}  // namespace sweepscope::schedule
