#pragma once

#include "base/error.h"
#include "device/device.h"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// What a driver did, recorded by our own reader of NVML, as a script that the fake driver replays (fakenvml/README.md).
namespace nvmlrecording {

struct GpuTrace {
    sweepscope::device::Device device;
    std::vector<sweepscope::device::Reading> readings;  ///< each with all that the GPU tells
    std::map<std::string, int> errors;                  ///< by symbol: why it tells nothing
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

/// `library` empty: the driver's. Unavailable: there is none, in words.
sweepscope::Expected<Trace> record(const std::string &library, int readings, std::chrono::milliseconds every);

nlohmann::json scriptOf(const Trace &trace);

/// What differs when a script was replayed, a line for each; empty: nothing. Rates are compared by their medians, as the
/// time between two calls is never the same again.
std::vector<std::string> differences(const Trace &recorded, const Trace &replayed);

}  // namespace nvmlrecording
