#pragma once

#include <string>

/// Whether an NVIDIA driver can be here at all, by what the system shows. `root` is before /proc and /dev, for tests.
namespace sweepscope::device::nvml {

bool isWsl(const std::string &root);

/// Without a driver, a library that answers is a simulation, however it was put in the driver's place.
bool hasDriver(const std::string &root);

}  // namespace sweepscope::device::nvml
