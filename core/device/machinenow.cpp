#include "device/foreignprocesses.h"
#include "device/memorydrain.h"
#include "device/processstat.h"
#include "device/sources.h"
#include "device/sweepplan.h"

/// How a machine is looked at before a start.
namespace sweepscope::device {

namespace {

/// By what whoever had it before noted; empty: by nothing.
std::string drainInWords(const Device &device, const FormerLease &former, const Reading &reading)
{
    if (!reading.memoryUsedBytes || !former.usedBefore)
        return {};
    double others = 0;
    for (const DeviceProcess &process : reading.processes.value_or(std::vector<DeviceProcess>()))
        others += static_cast<double>(process.memoryBytes.value_or(0));
    const double used = *reading.memoryUsedBytes;
    if (used <= drainedBelow(static_cast<double>(*former.usedBefore), others, device.memoryBytes))
        return {};
    return "has not given back the memory of " + former.holder + " yet: " + inBytes(static_cast<std::uint64_t>(used))
           + " (" + inBytes(*former.usedBefore) + " before) are in use";
}

GpuState stateOf(const Device &device, const MachineNow &machine, const LeaseFolder::Survey &survey,
                 const std::map<std::string, std::string> &unusable, const std::map<std::string, Reading> &readings)
{
    GpuState state;
    if (const auto trouble = unusable.find(device.id); trouble != unusable.end())
        state.unusable = trouble->second;
    const auto reading = readings.find(device.id);
    const bool isLeased = machine.leases.contains(device.id);  // who is on it is its holder's affair
    if (isLeased || reading == readings.end())
        return state;
    if (const auto former = survey.former.find(device.id); former != survey.former.end())
        state.draining = drainInWords(device, former->second, reading->second);
    if (!reading->second.processes)
        return state;
    const ForeignUse foreign = foreignUse(*reading->second.processes, [](const DeviceProcess &process) {
        return process.user && !readProcessStat(process.pid);
    });
    state.foreign = foreign.words;
    state.foreignBytes = foreign.bytes;
    return state;
}

}  // namespace

MachineNow lookAtMachine()
{
    const std::vector<std::unique_ptr<Source>> sources = makeSources();
    MachineNow machine;
    std::map<std::string, std::string> unusable;
    std::map<std::string, Reading> readings;
    std::vector<std::string> gpus;
    for (const std::unique_ptr<Source> &source : sources) {
        for (Device &device : source->devices()) {
            if (device.kind == Kind::Gpu)
                gpus.push_back(device.id);
            if (device.offered)
                machine.devices.push_back(std::move(device));
        }
        for (const DeviceReading &reading : source->sample())
            readings[reading.deviceId].update(reading.reading);
        machine.topology.merge(source->topology());
        unusable.merge(source->unusable());
        if (const std::string note = source->note(); !note.empty())
            machine.note += (machine.note.empty() ? "" : " ") + note;
    }
    machine.cpus = cpuTopologyHere();
    LeaseFolder::Survey survey;
    if (auto seen = LeaseFolder::survey(LeaseFolder::ofThisMachine(), gpus))
        survey = std::move(*seen);
    else if (!gpus.empty())  // who computes on CPUs starts all the same
        machine.note += (machine.note.empty() ? "" : " ") + seen.error().message;
    machine.leases = survey.leases;
    machine.next = survey.next;
    machine.cpuUses = survey.cpus;
    for (const Device &device : machine.devices) {
        if (device.kind == Kind::Gpu)
            machine.states[device.id] = stateOf(device, machine, survey, unusable, readings);
    }
    return machine;
}

}  // namespace sweepscope::device
