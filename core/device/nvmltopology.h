#pragma once

#include "device/gputopology.h"
#include "device/nvmllibrary.h"

#include <set>
#include <string>
#include <vector>

/// How GPUs are connected with each other and with the processor, by NVML, and where it does not tell, by /sys below `root`.
namespace sweepscope::device::nvml {

struct TopologyGpu {
    std::string id;
    DeviceHandle handle = nullptr;
    std::string pciBusId;
};

GpuTopology readTopology(CallMeter &meter, const Functions &functions, const std::vector<TopologyGpu> &gpus,
                         const std::string &root);

/// Returns an empty set if neither driver nor system reports it.
std::set<int> readNearCpus(CallMeter &meter, const Functions &functions, DeviceHandle handle,
                           const std::string &pciBusId, const std::string &root);

}  // namespace sweepscope::device::nvml
