#include "remote/knownmachines.h"

#include <algorithm>
#include <string>

namespace sweepscope::remote {

namespace {

device::Device deviceFrom(const protocol::DeviceStatus &status)
{
    device::Device device;
    device.id = status.id.toStdString();
    device.kind = status.gpu ? device::Kind::Gpu : device::Kind::Cpu;
    device.index = status.index;
    device.name = status.name.toStdString();
    device.memoryBytes = static_cast<std::uint64_t>(std::max(0.0, status.memoryBytes));
    device.simulated = status.simulated;
    device.pciBusId = status.pciBusId.toStdString();
    device.offered = status.offered;
    return device;
}

void add(schedule::OtherMachine &machine, const protocol::DeviceStatus &status, std::int64_t ownSweep)
{
    const std::string id = status.id.toStdString();
    machine.devices.push_back(deviceFrom(status));
    for (auto link = status.connections.begin(); link != status.connections.end(); ++link) {
        if (const auto known = device::linkNamed(link.value().toStdString()))
            machine.topology.set(id, link.key().toStdString(), *known);
    }
    for (const protocol::DeviceHolder &holder : status.holders) {
        if (holder.sweepId != ownSweep)
            machine.taken[std::to_string(holder.sweepId) + ":" + std::to_string(holder.trial)].push_back(id);
    }
    if (!status.gpu)
        return;
    if (!status.conditions.empty())
        machine.states[id].unusable = status.conditions.front();
    else if (status.holders.empty() && status.lease)
        machine.states[id].unusable = status.lease;
}

}  // namespace

std::map<std::string, schedule::OtherMachine> knownMachines(const std::vector<protocol::MachineStatus> &machines,
                                                            std::int64_t ownSweep)
{
    std::map<std::string, schedule::OtherMachine> known;
    for (const protocol::MachineStatus &status : machines) {
        schedule::OtherMachine &machine = known[status.name.toStdString()];
        if (!status.isConnected || status.isCluster)
            continue;
        machine.concurrent = status.limit;
        for (const protocol::DeviceStatus &device : status.devices) {
            if (device.offered)
                add(machine, device, ownSweep);
        }
    }
    return known;
}

}  // namespace sweepscope::remote
