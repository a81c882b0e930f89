#include "protocol/machinestatus.h"

#include <set>
#include <utility>

namespace sweepscope::protocol {

MachineUse useOf(const std::vector<DeviceStatus> &devices)
{
    MachineUse use;
    std::set<std::pair<qint64, int>> trials;
    for (const DeviceStatus &device : devices) {
        for (const DeviceHolder &holder : device.holders)
            trials.emplace(holder.sweepId, holder.trial);
        if (!device.offered)
            continue;
        ++(device.gpu ? use.gpus : use.cores);
        if (device.holders.empty() && !device.lease && device.conditions.empty())
            ++(device.gpu ? use.freeGpus : use.freeCores);
    }
    use.trials = static_cast<int>(trials.size());
    return use;
}

MachineUse useOf(const MachineStatus &machine)
{
    MachineUse use = useOf(machine.devices);
    use.trials += machine.jobs;
    return use;
}

}  // namespace sweepscope::protocol
