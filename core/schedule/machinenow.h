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

/// What is known of another machine of the workspace. Ids of devices end with its name.
struct OtherMachine {
    std::vector<device::Device> devices;  ///< that trials may use; empty: not known
    device::GpuTopology topology;
    std::map<std::string, GpuState> states;                 ///< by GPU
    std::map<std::string, std::vector<std::string>> taken;  ///< devices that trials have, by trial
    int concurrent = 0;                                     ///< trials at once, at most; 0: as many as fit
};

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
    std::map<std::string, OtherMachine> others{};            ///< by name
};

/// Of all machines.
std::vector<device::Device> allDevices(const MachineNow &machine);

/// Queries the drivers: takes a second, or longer if one hangs. May be called on any thread.
MachineNow readMachine();

}  // namespace sweepscope::schedule
