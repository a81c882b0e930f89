#pragma once

#include "device/cputopology.h"
#include "device/device.h"
#include "device/gputopology.h"
#include "schedule/gpuchoice.h"
#include "schedule/leasefolder.h"

#include <map>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// A machine as it is at this moment, as far as it matters for who gets what.
struct MachineNow {
    std::vector<device::Device> devices;
    device::CpuTopology cpus;
    device::GpuTopology topology;
    std::map<std::string, GpuState> states;                  ///< by GPU
    std::map<std::string, std::vector<LeaseHolder>> leases;  ///< by GPU, of all engines
    std::string note;                                        ///< what is wrong, in words
    std::vector<CpuUse> cpuUses{};                           ///< of all engines
};

/// Asks the drivers: takes a second, or longer when one of them hangs. From any thread.
MachineNow lookAtMachine();

}  // namespace sweepscope::schedule
