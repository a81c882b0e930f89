#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::device {

enum class Kind { Gpu, Cpu };

/// Something a rank can be given: a GPU, or a CPU core ("slot").
struct Device {
    std::string id;  ///< GPU: NVML UUID ("GPU-…"); CPU: "cpu:N"
    Kind kind = Kind::Cpu;
    int index = 0;                  ///< GPU: NVML index; CPU: logical core
    std::string name;               ///< "NVIDIA H200", CPU model name
    std::uint64_t memoryBytes = 0;  ///< GPU memory; 0 for a core
    bool simulated = false;         ///< from a fake NVML: shown wherever the device is shown
};

/// One reading. What could not be read is empty, and is never shown as 0.
struct Reading {
    std::optional<double> utilizationPercent;
    std::optional<std::uint64_t> memoryUsedBytes;
    std::optional<double> smClockMhz;
    std::optional<double> memoryClockMhz;
    std::optional<double> powerWatt;
    std::optional<double> temperatureCelsius;
};

struct DeviceReading {
    std::string deviceId;
    Reading reading;
};

/// Where devices come from. Not thread-safe; used from the sampler's thread.
class Source {
public:
    virtual ~Source() = default;
    virtual std::vector<Device> devices() = 0;
    virtual std::vector<DeviceReading> sample() = 0;
    /// Why there are none, or what is wrong with them; empty when all is well. For `sweepctl devices` and the window.
    virtual std::string note() const = 0;
};

}  // namespace sweepscope::device
