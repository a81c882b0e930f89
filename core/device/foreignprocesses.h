#pragma once

#include "device/reading.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::device {

/// How many of the processes on a GPU take memory worth a thought and were not started by Sweepscope: what it starts has
/// SWEEPSCOPE_ATTEMPT_ID in its environment. A desktop that draws on the GPU takes less. Empty when it cannot be told of
/// all of them and none is certain: inside a container pids are not ours, and some drivers do not tell the memory.
std::optional<double> countForeign(const std::vector<DeviceProcess> &processes, const std::string &procFolder);

}  // namespace sweepscope::device
