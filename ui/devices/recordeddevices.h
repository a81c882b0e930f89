#pragma once

#include "protocol/devicestatus.h"
#include "ui/models/devicereadings.h"

#include <vector>

namespace sweepscope::ui {

/// Returns the devices that occur in the readings, for a page without an engine: GPUs, then cores by number. Their
/// holders are unknown.
std::vector<protocol::DeviceStatus> recordedDevices(const DeviceReadings &readings);

}  // namespace sweepscope::ui
