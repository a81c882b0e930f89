#pragma once

#include "device/device.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// What one GPU does, in lines for people; what is not known is not mentioned.
std::vector<std::string> linesOf(const device::Device &device, const device::Reading &reading);

/// "139.8 GiB"
std::string gibibytes(double bytes);

/// A table of how the GPUs are connected, and the CPUs near them; none for less than two GPUs.
std::vector<std::string> topologyLines(const std::vector<device::Device> &devices, const device::GpuTopology &topology);

}  // namespace sweepscope::ctl
