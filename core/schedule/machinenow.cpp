#include "schedule/machinenow.h"

#include "device/foreignprocesses.h"
#include "device/sources.h"
#include "process/processstat.h"

#include <algorithm>
#include <iterator>
#include <unistd.h>

namespace sweepscope::schedule {

namespace {

GpuState stateOf(const device::Device &device, const MachineNow &machine,
                 const std::map<std::string, facts::Fact> &unusable,
                 const std::map<std::string, device::Reading> &readings)
{
    GpuState state;
    if (const auto trouble = unusable.find(device.id); trouble != unusable.end())
        state.unusable = trouble->second;
    const auto reading = readings.find(device.id);
    const bool isLeased = machine.leases.contains(device.id);  // its use is its holder's affair
    if (isLeased || reading == readings.end())
        return state;
    if (!reading->second.processes)
        return state;
    const device::ForeignUse foreign =
        device::foreignUse(*reading->second.processes, [](const device::DeviceProcess &process) {
            return process.user && !process::readProcessStat(process.pid);
        });
    state.foreign = usedBy(foreign);
    state.foreignBytes = foreign.bytes;
    return state;
}

std::uint64_t memoryOfMachine()
{
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long bytes = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

}  // namespace

std::vector<device::Device> allDevices(const MachineNow &machine)
{
    std::vector<device::Device> devices = machine.devices;
    for (const auto &[name, other] : machine.others)
        devices.insert(devices.end(), other.devices.begin(), other.devices.end());
    return devices;
}

MachineNow readMachine()
{
    const std::vector<std::unique_ptr<device::Source>> sources = device::makeSources();
    MachineNow machine;
    std::map<std::string, facts::Fact> unusable;
    std::map<std::string, device::Reading> readings;
    std::vector<std::string> gpus;
    for (const std::unique_ptr<device::Source> &source : sources) {
        for (device::Device &device : source->devices()) {
            if (device.kind == device::Kind::Gpu)
                gpus.push_back(device.id);
            if (device.offered)
                machine.devices.push_back(std::move(device));
        }
        for (const device::DeviceReading &reading : source->sample())
            readings[reading.deviceId].update(reading.reading);
        unusable.merge(source->unusable());
    }
    machine.topology = device::topologyOf(sources);
    machine.conditions = device::conditionsOf(sources);
    machine.note = device::notesOf(sources);
    machine.cpus = device::cpuTopologyHere();
    machine.memoryBytes = memoryOfMachine();
    LeaseFolder::Survey survey;
    if (auto seen = LeaseFolder::survey(LeaseFolder::ofThisMachine(), gpus))
        survey = std::move(*seen);
    else if (!gpus.empty())  // trials on CPUs start anyway
        machine.note += (machine.note.empty() ? "" : " ") + seen.error().message;
    machine.leases = std::move(survey.leases);
    machine.cpuUses = std::move(survey.cpus);
    for (const device::Device &device : machine.devices) {
        if (device.kind == device::Kind::Gpu)
            machine.states[device.id] = stateOf(device, machine, unusable, readings);
    }
    return machine;
}

}  // namespace sweepscope::schedule
