#include "engine/devicelist.h"

#include <algorithm>

namespace sweepscope::engine {

std::vector<device::Device> devicesOf(const std::vector<std::unique_ptr<device::Source>> &sources)
{
    std::vector<device::Device> devices;
    for (const std::unique_ptr<device::Source> &source : sources) {
        for (device::Device &device : source->devices())
            devices.push_back(std::move(device));
    }
    return devices;
}

std::string notesOf(const std::vector<std::unique_ptr<device::Source>> &sources)
{
    std::string notes;
    for (const std::unique_ptr<device::Source> &source : sources) {
        if (const std::string note = source->note(); !note.empty())
            notes += (notes.empty() ? "" : " ") + note;
    }
    return notes;
}

sweep::Capacity capacityOf(const std::vector<device::Device> &devices)
{
    const auto gpus = std::count_if(devices.begin(), devices.end(),
                                    [](const device::Device &device) { return device.kind == device::Kind::Gpu; });
    const auto cores = static_cast<std::ptrdiff_t>(devices.size()) - gpus;
    return {static_cast<int>(gpus), static_cast<int>(std::max<std::ptrdiff_t>(1, cores))};
}

std::vector<client::DeviceStatus> deviceStatuses(const device::Allocator &allocator,
                                                 const std::function<std::string(const std::string &)> &nameOfHolder)
{
    std::vector<client::DeviceStatus> statuses;
    for (const device::Device &device : allocator.devices()) {
        client::DeviceStatus status;
        status.id = QString::fromStdString(device.id);
        status.name = QString::fromStdString(device.name);
        status.gpu = device.kind == device::Kind::Gpu;
        status.simulated = device.simulated;
        status.memoryBytes = static_cast<double>(device.memoryBytes);
        for (const std::string &holder : allocator.holders(device.id))
            status.holders.append(QString::fromStdString(nameOfHolder(holder)));
        statuses.push_back(std::move(status));
    }
    return statuses;
}

}  // namespace sweepscope::engine
