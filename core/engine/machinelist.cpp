#include "engine/machinelist.h"

#include "base/clock.h"
#include "engine/devicelist.h"
#include "sweep/deviceplace.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;
using std::chrono::steady_clock;

constexpr double secondsPerNs = 1e-9;

device::Device deviceFrom(const node::MachineDevice &there, const std::string &machine)
{
    device::Device device;
    device.id = sweep::deviceOn(machine, there.id);
    device.kind = there.kind == "gpu" ? device::Kind::Gpu : device::Kind::Cpu;
    device.index = static_cast<int>(there.index);
    device.name = there.name;
    device.memoryBytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, there.memory));
    device.simulated = there.simulated;
    device.pciBusId = there.bus;
    device.parentId = there.parent.empty() ? std::string() : sweep::deviceOn(machine, there.parent);
    device.offered = there.offered;
    device.nearCpus = {there.cpus.begin(), there.cpus.end()};
    return device;
}

node::DeviceRemarks remarksOn(const std::string &machine, const node::Machine &there)
{
    node::DeviceRemarks remarks;
    for (const auto &[id, fact] : there.unusable)
        remarks.conditions.push_back(factIn(fact).with(Field::Device, sweep::deviceOn(machine, id)));
    for (const auto &[id, fact] : there.leases)
        remarks.leases[sweep::deviceOn(machine, id)] = factIn(fact);
    return remarks;
}

WallNs wallTimeOf(steady_clock::time_point time)
{
    if (time == steady_clock::time_point())
        return 0;
    return wallNow() - std::chrono::duration_cast<std::chrono::nanoseconds>(steady_clock::now() - time).count();
}

}  // namespace

std::vector<device::Device> devicesOn(const std::string &machine, const node::Machine &there)
{
    std::vector<device::Device> devices;
    for (const node::MachineDevice &device : there.devices)
        devices.push_back(deviceFrom(device, machine));
    return devices;
}

device::GpuTopology topologyOn(const std::string &machine, const node::Machine &there)
{
    device::GpuTopology topology;
    for (const node::MachineLink &link : there.links)
        topology.set(sweep::deviceOn(machine, link.a), sweep::deviceOn(machine, link.b),
                     device::linkNamed(link.path).value_or(device::GpuLink()));
    return topology;
}

device::CpuTopology coresOf(const node::Machine &there)
{
    device::CpuTopology topology;
    for (const node::MachineDevice &device : there.devices) {
        if (device.kind == "cpu")
            topology.cores.push_back({{static_cast<int>(device.index)}});
    }
    return topology;
}

Fact factIn(const std::string &untrustedJson)
{
    return facts::fromJson(untrustedJson).value_or(Fact(Code::Unknown).with(Field::Detail, untrustedJson));
}

protocol::MachineStatus machineStatus(const remote::Machine &machine, const remote::MachineStatus &status, bool isUsed,
                                      const schedule::Scheduler::Machine &scheduled,
                                      const std::function<protocol::DeviceHolder(const std::string &)> &holderOf)
{
    protocol::MachineStatus shown;
    shown.name = QString::fromStdString(machine.name);
    shown.address = QString::fromStdString(machine.ssh.port == 0 ? machine.ssh.destination : toString(machine.ssh));
    shown.isUsed = isUsed;
    shown.isConnected = status.isConnected;
    shown.since = wallTimeOf(status.since);
    shown.unavailable = scheduled.unavailable;
    shown.limit = machine.concurrent;
    shown.cpus = static_cast<int>(status.welcome.cpus);
    shown.memoryBytes = static_cast<double>(status.welcome.memory);
    shown.freeBytes = static_cast<double>(status.disk.free);
    shown.clockOffset = static_cast<double>(status.clockOffset) * secondsPerNs;
    shown.clockError = static_cast<double>(status.clockError) * secondsPerNs;
    shown.isCluster = machine.slurm.has_value();
    shown.jobs = scheduled.cluster ? scheduled.allocator.holderCount() : 0;
    if (machine.slurm)
        shown.note = QStringLiteral("its trials are jobs of Slurm");
    if (status.devices) {
        shown.note = QString::fromStdString(status.devices->note);
        shown.devices = deviceStatuses(devicesOn(machine.name, *status.devices), scheduled.allocator,
                                       remarksOn(machine.name, *status.devices), holderOf, [](pid_t) { return false; });
    }
    return shown;
}

}  // namespace sweepscope::engine
