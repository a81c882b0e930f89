#include "ui/devices/recordeddevices.h"

#include "ui/models/devicenames.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sweepscope::ui {

namespace {

/// Quantities that only a GPU has; the feed also contains the cost of monitoring.
constexpr std::string_view gpuQuantities[] = {"memory", "memory_total", "sm_clock", "power"};

bool isGpu(const DeviceReadings &readings, std::string_view id)
{
    return std::ranges::any_of(gpuQuantities,
                               [&](std::string_view quantity) { return readings.find(id, quantity) != nullptr; });
}

}  // namespace

std::vector<protocol::DeviceStatus> recordedDevices(const DeviceReadings &readings)
{
    std::vector<protocol::DeviceStatus> gpus;
    std::vector<protocol::DeviceStatus> cores;
    for (const auto &[id, quantities] : readings.devices) {
        protocol::DeviceStatus device;
        device.id = QString::fromStdString(id);
        device.recorded = true;
        if (const std::optional<int> core = coreNumber(id)) {
            device.index = *core;
            cores.push_back(std::move(device));
        } else if (isGpu(readings, id)) {
            device.gpu = true;
            device.index = static_cast<int>(gpus.size());
            device.name = device.id;  // only the driver knows the model's name
            device.simulated = readings.now(id, "simulated").value_or(0) > 0;
            device.memoryBytes = readings.now(id, "memory_total").value_or(0);
            gpus.push_back(std::move(device));
        }
    }
    std::ranges::sort(cores, {}, &protocol::DeviceStatus::index);
    gpus.insert(gpus.end(), std::make_move_iterator(cores.begin()), std::make_move_iterator(cores.end()));
    return gpus;
}

}  // namespace sweepscope::ui
