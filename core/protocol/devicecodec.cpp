#include "protocol/devicecodec.h"

#include "protocol/cborfields.h"

#include <string>
#include <utility>
#include <vector>

namespace sweepscope::protocol {

namespace {

QCborArray processesToCbor(const std::vector<DeviceStatus::Process> &processes)
{
    QCborArray array;
    for (const DeviceStatus::Process &process : processes) {
        QCborMap map;
        map.insert(QLatin1String("pid"), process.pid);
        if (!process.user.isEmpty())
            map.insert(QLatin1String("user"), process.user);
        if (!process.name.isEmpty())
            map.insert(QLatin1String("name"), process.name);
        if (process.memoryBytes)
            map.insert(QLatin1String("memoryBytes"), *process.memoryBytes);
        if (process.ours)
            map.insert(QLatin1String("ours"), *process.ours);
        array.append(map);
    }
    return array;
}

DeviceStatus::Process processFromCbor(const QCborValue &untrusted)
{
    const QCborMap map = untrusted.toMap();
    DeviceStatus::Process process;
    process.pid = map.value(QLatin1String("pid")).toInteger();
    process.user = map.value(QLatin1String("user")).toString();
    process.name = map.value(QLatin1String("name")).toString();
    if (const QCborValue bytes = map.value(QLatin1String("memoryBytes")); bytes.isDouble() || bytes.isInteger())
        process.memoryBytes = bytes.toDouble();
    if (const QCborValue ours = map.value(QLatin1String("ours")); ours.isBool())
        process.ours = ours.toBool();
    return process;
}

}  // namespace

QCborMap toCbor(const DeviceStatus &device)
{
    QCborMap map;
    map.insert(QLatin1String("id"), device.id);
    map.insert(QLatin1String("name"), device.name);
    map.insert(QLatin1String("gpu"), device.gpu);
    map.insert(QLatin1String("simulated"), device.simulated);
    map.insert(QLatin1String("memoryBytes"), device.memoryBytes);
    map.insert(QLatin1String("index"), device.index);
    if (!device.pciBusId.isEmpty())
        map.insert(QLatin1String("pciBusId"), device.pciBusId);
    if (!device.offered)
        map.insert(QLatin1String("offered"), false);
    if (!device.conditions.empty())
        map.insert(QLatin1String("conditions"), toCbor(device.conditions));
    if (device.lease)
        map.insert(QLatin1String("lease"), toCbor(device.lease));
    if (!device.processes.empty())
        map.insert(QLatin1String("processes"), processesToCbor(device.processes));
    QCborArray holders;
    for (const DeviceHolder &holder : device.holders)
        holders.append(QCborMap{{QLatin1String("sweep"), holder.sweepId},
                                {QLatin1String("name"), holder.sweep},
                                {QLatin1String("trial"), holder.trial}});
    map.insert(QLatin1String("holders"), holders);
    if (!device.nearCpus.isEmpty())
        map.insert(QLatin1String("nearCpus"), device.nearCpus);
    QStringList connections;
    for (auto other = device.connections.cbegin(); other != device.connections.cend(); ++other)
        connections << other.key() << other.value();
    if (!connections.isEmpty())
        map.insert(QLatin1String("connections"), QCborArray::fromStringList(connections));
    return map;
}

Expected<DeviceStatus> deviceFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a device");
    DeviceStatus device;
    device.id = fields.text("id");
    device.name = fields.text("name");
    device.gpu = fields.boolean("gpu");
    device.simulated = fields.boolean("simulated");
    device.memoryBytes = fields.number("memoryBytes");
    device.index = static_cast<int>(fields.optionalInteger("index").value_or(0));
    device.pciBusId = fields.value("pciBusId").toString();
    device.offered = fields.value("offered").toBool(true);
    device.conditions = fields.facts("conditions");
    device.lease = fields.fact("lease");
    for (const QCborValue &process : fields.optionalArray("processes"))
        device.processes.push_back(processFromCbor(process));
    for (const QCborValue &entry : fields.optionalArray("holders")) {
        CborFields holder(entry, "a holder");
        device.holders.push_back(
            {holder.integer("sweep", 1), holder.text("name"), static_cast<int>(holder.integer("trial", 1, maxInt))});
        if (holder.error())
            fields.fail(holder.error()->message);
    }
    device.nearCpus = fields.value("nearCpus").toString();
    const std::vector<std::string> connections = fields.optionalTexts("connections");
    if (connections.size() % 2 != 0)
        fields.fail("has connections that are not pairs");
    for (std::size_t i = 0; i + 1 < connections.size(); i += 2)
        device.connections.insert(text(connections[i]), text(connections[i + 1]));
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return device;
}

QCborMap toCbor(const MachineStatus &machine)
{
    QCborMap map;
    map.insert(QLatin1String("name"), machine.name);
    map.insert(QLatin1String("address"), machine.address);
    map.insert(QLatin1String("used"), machine.isUsed);
    map.insert(QLatin1String("connected"), machine.isConnected);
    map.insert(QLatin1String("since"), qint64{machine.since});
    if (machine.unavailable)
        map.insert(QLatin1String("unavailable"), toCbor(machine.unavailable));
    map.insert(QLatin1String("limit"), machine.limit);
    map.insert(QLatin1String("cluster"), machine.isCluster);
    map.insert(QLatin1String("jobs"), machine.jobs);
    map.insert(QLatin1String("cpus"), machine.cpus);
    map.insert(QLatin1String("memoryBytes"), machine.memoryBytes);
    map.insert(QLatin1String("freeBytes"), machine.freeBytes);
    map.insert(QLatin1String("clockOffset"), machine.clockOffset);
    map.insert(QLatin1String("clockError"), machine.clockError);
    if (!machine.note.isEmpty())
        map.insert(QLatin1String("note"), machine.note);
    QCborArray devices;
    for (const DeviceStatus &device : machine.devices)
        devices.append(toCbor(device));
    map.insert(QLatin1String("devices"), devices);
    return map;
}

Expected<MachineStatus> machineFromCbor(const QCborValue &untrusted)
{
    CborFields fields(untrusted, "a machine");
    MachineStatus machine;
    machine.name = fields.text("name");
    machine.address = fields.text("address");
    machine.isUsed = fields.boolean("used");
    machine.isConnected = fields.boolean("connected");
    machine.since = fields.integer("since", 0);
    machine.unavailable = fields.fact("unavailable");
    machine.limit = static_cast<int>(fields.integer("limit", 0, maxInt));
    machine.isCluster = fields.boolean("cluster");
    machine.jobs = static_cast<int>(fields.integer("jobs", 0, maxInt));
    machine.cpus = static_cast<int>(fields.integer("cpus", 0, maxInt));
    machine.memoryBytes = fields.number("memoryBytes");
    machine.freeBytes = fields.number("freeBytes");
    machine.clockOffset = fields.number("clockOffset");
    machine.clockError = fields.number("clockError");
    machine.note = fields.value("note").toString();
    for (const QCborValue &entry : fields.optionalArray("devices")) {
        if (Expected<DeviceStatus> device = deviceFromCbor(entry))
            machine.devices.push_back(std::move(*device));
        else
            fields.fail(device.error().message);
    }
    if (fields.error())
        return tl::unexpected<Error>(*fields.error());
    return machine;
}

}  // namespace sweepscope::protocol
