#pragma once

#include "device/device.h"

#include <memory>
#include <string>

namespace sweepscope::device {

/// GPUs through NVML, loaded at run time: libnvidia-ml.so.1, or the library that SWEEPSCOPE_NVML names (then its
/// devices are marked simulated). No NVIDIA driver is not an error: no devices, and note() says why.
std::unique_ptr<Source> makeNvmlSource();

/// CPU cores that this process may use, from /proc/stat. `procFolder` is for tests.
std::unique_ptr<Source> makeCpuSource(const std::string &procFolder = "/proc");

}  // namespace sweepscope::device
