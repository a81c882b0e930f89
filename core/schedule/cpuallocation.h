#pragma once

#include "device/device.h"
#include "schedule/devicerequest.h"
#include "schedule/refusal.h"

#include <cstdint>
#include <string>
#include <vector>

/// Chooses CPU slots for a trial, and the preferred cores of its ranks.
namespace sweepscope::schedule {

struct CoreUse {
    const device::Device *device;
    std::int64_t users;  ///< slots of our trials on it
};

/// Chooses CPU slots for `request` from `cores`, all cores of the machine. `leases`: null if no other engine can run on
/// the machine.
tl::expected<Choice, Refusal> chooseCpuSlots(const Request &request, std::vector<CoreUse> cores, GpuLeases *leases);

/// Returns where the cores of a rank with these devices should be.
CpuPlace cpuPlaceOf(const std::vector<std::string> &deviceIds, const Request &request,
                    const std::vector<device::Device> &devices);

}  // namespace sweepscope::schedule
