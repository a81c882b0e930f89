#pragma once

#include "device/device.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What is to be said of the devices beyond their numbers.
struct DeviceRemarks {
    std::string note;
    std::map<std::string, std::string> conditions;                        ///< by device: what is wrong with it
    std::map<std::string, std::vector<device::DeviceProcess>> processes;  ///< by GPU, where the driver tells them

    bool operator==(const DeviceRemarks &) const = default;
};

/// What was last read of a GPU that matters for who is given it.
struct GpuLook {
    std::chrono::steady_clock::time_point at;  ///< the reading began
    std::optional<double> usedBytes;
    std::vector<device::DeviceProcess> processes;  ///< may be some seconds older
};

struct DeviceLook {
    std::map<std::string, GpuLook> gpus;
    std::map<std::string, std::string> unusable;  ///< by device: "is lost"
    std::vector<device::Device> known;            ///< GPUs that were found until now
    device::GpuTopology topology;
};

}  // namespace sweepscope::engine
