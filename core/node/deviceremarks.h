#pragma once

#include "device/device.h"
#include "facts/fact.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::node {

/// What there is to say about the devices beyond their readings.
struct DeviceRemarks {
    std::string note;                             ///< why there are none, or what is wrong with all of them
    facts::Facts conditions;                      ///< of single GPUs, see device::Source
    std::map<std::string, facts::Fact> leases{};  ///< by GPU: GpuLeased, to any engine
    std::map<std::string, std::vector<device::DeviceProcess>> processes{};  ///< by GPU, where the driver tells them

    bool operator==(const DeviceRemarks &) const = default;
};

/// The last reading of a GPU, as far as it matters for assigning it.
struct GpuSnapshot {
    std::chrono::steady_clock::time_point at;  ///< when the reading began
    std::optional<double> usedBytes;
    std::vector<device::DeviceProcess> processes;  ///< may be some seconds older
};

struct DeviceSnapshot {
    std::map<std::string, GpuSnapshot> gpus;
    std::map<std::string, facts::Fact> unusable;  ///< by device
    std::vector<device::Device> known;            ///< GPUs that were found until now
    device::GpuTopology topology;
};

}  // namespace sweepscope::node
