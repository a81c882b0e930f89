#pragma once

#include "device/gputopology.h"
#include "device/reading.h"
#include "facts/fact.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::device {

enum class Kind { Gpu, Cpu };

/// Something a rank can be given: a GPU, or a CPU core ("slot").
struct Device {
    std::string id;  ///< NVIDIA: NVML UUID ("GPU-…", "MIG-…"); AMD: "amd:0000:03:00.0"; CPU: "cpu:N"
    Kind kind = Kind::Cpu;
    int index = 0;                  ///< NVIDIA: NVML index, no order that CUDA knows; CPU: logical core
    std::string name;               ///< "NVIDIA H200", CPU model name
    std::uint64_t memoryBytes = 0;  ///< GPU memory; 0 for a core, and when it is not known
    bool simulated = false;         ///< from a fake driver: shown wherever the device is shown
    std::string pciBusId{};         ///< "00000000:3B:00.0"; empty for a core, and when it is not known
    std::string parentId{};         ///< of a MIG instance: the GPU that it is a part of
    bool offered = true;            ///< false: monitored, but never allocated
    std::set<int> nearCpus{};       ///< of a GPU: CPUs of its NUMA node; empty: not known
    int pcieGeneration = 0;         ///< the best that GPU and slot can do; 0: not known
    int pcieLanes = 0;              ///< likewise
};

/// The GPUs among them without MIG instances, which have no connections of their own.
std::vector<Device> wholeGpus(const std::vector<Device> &devices);

/// "61 GiB", "10 MiB".
std::string inBytes(std::uint64_t bytes);

struct DeviceReading {
    std::string deviceId;
    Reading reading;
};

/// What reading the devices costs, since the source began.
struct SamplingCost {
    std::chrono::nanoseconds cpu{0};      ///< of threads of the source's own
    std::chrono::nanoseconds calling{0};  ///< time spent in the driver's calls, waiting included
    std::uint64_t calls = 0;
    std::chrono::nanoseconds slowest{0};
    std::string slowestCall;
};

/// Where devices come from. Not thread-safe; used from the sampler's thread.
class Source {
public:
    virtual ~Source() = default;
    virtual std::vector<Device> devices() = 0;
    /// What was read now: a field that is not read each time, or that could not be, is empty. Takes about a second at
    /// most, whatever the driver does.
    virtual std::vector<DeviceReading> sample() = 0;
    /// Why there are no devices, or what is wrong with all of them; empty otherwise. For `sweepctl devices` and the window.
    virtual std::string note() const = 0;
    /// What is wrong with single GPUs, or special. Index names the GPU, and Device if it could be opened.
    virtual facts::Facts conditions() const { return {}; }
    /// Why devices cannot be used now, by id.
    virtual std::map<std::string, facts::Fact> unusable() const { return {}; }
    /// Devices that are known by now; some may have been found since devices() was asked. Asks no driver.
    virtual std::vector<Device> known() const { return {}; }
    /// How those that are known are connected. Asks no driver.
    virtual GpuTopology topology() const { return {}; }
    virtual SamplingCost cost() const { return {}; }
    /// Versions of the driver and its library, in words; empty when there is none.
    virtual std::string driver() const { return {}; }
};

}  // namespace sweepscope::device
