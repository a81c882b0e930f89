#pragma once

#include "device/device.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// Describes the state of a GPU in lines of text; unknown values are omitted.
std::vector<std::string> linesOf(const device::Device &device, const device::Reading &reading);

/// "139.8 GiB"
std::string gibibytes(double bytes);

/// Returns a table of the links between GPUs and the CPUs near them; empty for fewer than two GPUs.
std::vector<std::string> topologyLines(const std::vector<device::Device> &devices, const device::GpuTopology &topology);

}  // namespace sweepscope::ctl
