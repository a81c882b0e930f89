#pragma once

#include "device/device.h"
#include "schedule/devicerequest.h"
#include "schedule/refusal.h"

#include <cstdint>
#include <string>
#include <vector>

/// Which CPU slots a trial gets, and near what its ranks compute.
namespace sweepscope::schedule {

struct CoreUse {
    const device::Device *device;
    std::int64_t users;  ///< slots of our trials that are on it
};

/// CPU slots for `request` on `cores`, all that the machine has. `leases`: null where no other engine can be on the machine.
tl::expected<Choice, Refusal> chooseCpuSlots(const Request &request, std::vector<CoreUse> cores, GpuLeases *leases);

/// Where a rank with these devices wants its cores.
CpuPlace cpuPlaceOf(const std::vector<std::string> &deviceIds, const Request &request,
                    const std::vector<device::Device> &devices);

}  // namespace sweepscope::schedule
