#pragma once

#include "base/error.h"
#include "device/device.h"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// A driver's behaviour, recorded by our own NVML reader, as a script that the fake driver replays
/// (fakenvml/README.md).
namespace nvmlrecording {

struct GpuTrace {
    sweepscope::device::Device device;
    std::vector<sweepscope::device::Reading> readings;  ///< each with all values that the GPU reports
    std::map<std::string, int> errors;                  ///< by symbol: why it returns no value
    std::vector<int> nvlinks;                           ///< states
    std::vector<std::string> nvlinkPeers;               ///< by link: a bus id, "switch", or empty
    std::vector<int> cpus;                              ///< near it
    bool isSplit = false;                               ///< MIG: its instances are not recorded
};

struct Trace {
    std::string driver;  ///< version
    bool isReal = false;
    std::vector<GpuTrace> gpus;
    std::map<std::pair<std::size_t, std::size_t>, int> ancestors;  ///< of two GPUs: NVML's level
};

/// `library` empty: the driver's. Unavailable: there is none; the message says why.
sweepscope::Expected<Trace> record(const std::string &library, int readings, std::chrono::milliseconds every);

nlohmann::json scriptOf(const Trace &trace);

/// Returns the differences after replaying a script, a line for each; empty if there are none. Compares rates by their
/// medians, because the time between two calls varies.
std::vector<std::string> differences(const Trace &recorded, const Trace &replayed);

}  // namespace nvmlrecording
