#pragma once

#include "device/device.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::device {

struct NvmlSettings {
    std::string library;  ///< empty: the driver's; else a fake one, and its devices are marked simulated
    std::chrono::milliseconds startLimit{15'000};  ///< a driver that has to wake many GPUs takes its time
    std::chrono::milliseconds openLimit{5'000};    ///< a GPU that sleeps wakes slowly
    std::chrono::milliseconds callLimit{1'000};    ///< a call that takes longer is left behind
    std::chrono::milliseconds middleLane{5'000};
    std::chrono::milliseconds slowLane{30'000};
    std::string root;  ///< before /proc and /dev
};

/// GPUs through NVML, loaded at run time: libnvidia-ml.so.1, or the library that SWEEPSCOPE_NVML names (then its
/// devices are marked simulated). No NVIDIA driver is not an error: no devices, and note() says why.
std::unique_ptr<Source> makeNvmlSource();
std::unique_ptr<Source> makeNvmlSource(NvmlSettings settings);

/// AMD GPUs, from /sys and /proc below `root` (tests; then they are marked simulated). SWEEPSCOPE_AMD_ROOT names another
/// one.
std::unique_ptr<Source> makeAmdSource();
std::unique_ptr<Source> makeAmdSource(const std::string &root);

/// CPU cores that this process may use, from /proc/stat. `procFolder` is for tests.
std::unique_ptr<Source> makeCpuSource(const std::string &procFolder = "/proc");

/// NVIDIA GPUs through `nvidia-smi`; see SmiSource.
std::unique_ptr<Source> makeSmiSource();

/// How a program reads NVIDIA GPUs. One that is linked statically cannot load a library.
enum class NvidiaBy { Library, Program };

/// All of this machine.
std::vector<std::unique_ptr<Source>> makeSources(NvidiaBy nvidiaBy = NvidiaBy::Library);

/// Returns the devices of all sources, with GPUs first in their order.
std::vector<Device> devicesOf(const std::vector<std::unique_ptr<Source>> &sources);
/// Returns the notes of all sources as consecutive sentences.
std::string notesOf(const std::vector<std::unique_ptr<Source>> &sources);
/// Returns how the GPUs are connected, as far as known.
GpuTopology topologyOf(const std::vector<std::unique_ptr<Source>> &sources);
/// Returns what is wrong with single GPUs.
facts::Facts conditionsOf(const std::vector<std::unique_ptr<Source>> &sources);

}  // namespace sweepscope::device
