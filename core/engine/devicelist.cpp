#include "engine/devicelist.h"

#include "process/cpulist.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sweepscope::engine {

namespace {

std::vector<protocol::DeviceStatus::Process> processStatuses(const std::vector<device::DeviceProcess> &processes,
                                                             const std::function<bool(pid_t)> &isOurs)
{
    std::vector<protocol::DeviceStatus::Process> statuses;
    for (const device::DeviceProcess &process : processes) {
        protocol::DeviceStatus::Process status;
        status.pid = process.pid;
        status.user = QString::fromStdString(process.user.value_or(""));
        status.name = QString::fromStdString(process.name.value_or(""));
        if (process.memoryBytes)
            status.memoryBytes = static_cast<double>(*process.memoryBytes);
        if (process.user)  // else it is not visible from here, and its pid may mean another process
            status.ours = isOurs(process.pid);
        statuses.push_back(std::move(status));
    }
    return statuses;
}

QMap<QString, QString> connectionsOf(const device::Device &gpu, const std::vector<device::Device> &gpus,
                                     const device::GpuTopology &topology)
{
    QMap<QString, QString> connections;
    for (const device::Device &other : gpus) {
        if (other.id != gpu.id)
            connections.insert(QString::fromStdString(other.id),
                               QString::fromStdString(device::shortName(topology.between(gpu.id, other.id))));
    }
    return connections;
}

/// A core is used by the trials that have a slot on it, and by ranks that compute on GPUs and are bound to it.
std::vector<std::string> usersOf(const device::Device &device, const schedule::Allocator &allocator)
{
    std::vector<std::string> users = allocator.holders(device.id);
    if (device.kind != device::Kind::Cpu)
        return users;
    for (std::string &bound : allocator.holdersOfCore(device)) {
        if (std::find(users.begin(), users.end(), bound) == users.end())
            users.push_back(std::move(bound));
    }
    return users;
}

}  // namespace

sweep::Capacity capacityOf(const std::vector<device::Device> &devices)
{
    const auto gpus = std::count_if(devices.begin(), devices.end(),
                                    [](const device::Device &device) { return device.kind == device::Kind::Gpu; });
    const auto cores = static_cast<std::ptrdiff_t>(devices.size()) - gpus;
    sweep::Capacity capacity{static_cast<int>(gpus), static_cast<int>(std::max<std::ptrdiff_t>(1, cores))};
    for (const device::Device &device : devices) {
        if (device.kind == device::Kind::Gpu)
            capacity.gpuNames.push_back({device.index, device.id, device.pciBusId, device.name, device.memoryBytes});
    }
    return capacity;
}

std::vector<device::Device> offeredOf(const std::vector<device::Device> &devices)
{
    std::vector<device::Device> offered;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(offered),
                 [](const device::Device &device) { return device.offered; });
    return offered;
}

std::vector<protocol::DeviceStatus>
deviceStatuses(const std::vector<device::Device> &devices, const schedule::Allocator &allocator,
               const node::DeviceRemarks &remarks,
               const std::function<protocol::DeviceHolder(const std::string &)> &holderOf,
               const std::function<bool(pid_t)> &isOurs)
{
    const std::vector<device::Device> gpus = device::wholeGpus(devices);
    std::vector<protocol::DeviceStatus> statuses;
    for (const device::Device &device : devices) {
        protocol::DeviceStatus status;
        status.id = QString::fromStdString(device.id);
        status.name = QString::fromStdString(device.name);
        status.gpu = device.kind == device::Kind::Gpu;
        status.simulated = device.simulated;
        status.memoryBytes = static_cast<double>(device.memoryBytes);
        status.index = device.index;
        status.pciBusId = QString::fromStdString(device.pciBusId);
        status.offered = device.offered;
        std::ranges::copy_if(
            remarks.conditions, std::back_inserter(status.conditions),
            [&device](const facts::Fact &fact) { return fact.text(facts::Field::Device) == device.id; });
        if (const auto processes = remarks.processes.find(device.id); processes != remarks.processes.end())
            status.processes = processStatuses(processes->second, isOurs);
        for (const std::string &holder : usersOf(device, allocator))
            status.holders.push_back(holderOf(holder));
        if (const auto lease = remarks.leases.find(device.id); lease != remarks.leases.end())
            status.lease = lease->second;
        if (status.gpu)
            status.nearCpus =
                QString::fromStdString(process::cpuListText({device.nearCpus.begin(), device.nearCpus.end()}));
        if (status.gpu && device.parentId.empty())
            status.connections = connectionsOf(device, gpus, allocator.topology());
        statuses.push_back(std::move(status));
    }
    return statuses;
}

}  // namespace sweepscope::engine
