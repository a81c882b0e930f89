#pragma once

#include "device/cputopology.h"
#include "device/device.h"
#include "device/gputopology.h"
#include "schedule/gpuchoice.h"
#include "schedule/leasefolder.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// A snapshot of a machine with everything that affects allocation.
struct MachineNow {
    std::vector<device::Device> devices;
    device::CpuTopology cpus;
    device::GpuTopology topology;
    std::map<std::string, GpuState> states;                  ///< by GPU
    std::map<std::string, std::vector<LeaseHolder>> leases;  ///< by GPU, of all engines
    std::string note;                                        ///< what is wrong with the machine
    facts::Facts conditions{};                               ///< of single GPUs
    std::vector<CpuUse> cpuUses{};                           ///< of all engines
    std::uint64_t memoryBytes = 0;                           ///< of the machine; 0 = unknown
};

/// Queries the drivers: takes a second, or longer if one hangs. May be called on any thread.
MachineNow readMachine();

}  // namespace sweepscope::schedule
