#include "ui/devices/recordeddevices.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace sweepscope::ui {

namespace {

constexpr std::string_view corePrefix = "cpu:";
/// Quantities that only a GPU has; the feed also contains the cost of monitoring.
constexpr std::string_view gpuQuantities[] = {"memory", "memory_total", "sm_clock", "power"};

bool isGpu(const DeviceReadings &readings, std::string_view id)
{
    return std::ranges::any_of(gpuQuantities,
                               [&](std::string_view quantity) { return readings.find(id, quantity) != nullptr; });
}

/// -1 if it is no core.
int coreNumber(std::string_view id)
{
    if (!id.starts_with(corePrefix))
        return -1;
    int number = -1;
    const std::string_view digits = id.substr(corePrefix.size());
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return problem == std::errc() && end == digits.data() + digits.size() ? number : -1;
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
        if (const int core = coreNumber(id); core >= 0) {
            device.index = core;
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
