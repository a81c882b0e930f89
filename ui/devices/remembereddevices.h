#pragma once

#include "protocol/devicestatus.h"
#include "ui/devices/recentreadings.h"

#include <vector>

namespace sweepscope::ui {

/// The devices that readings tell of, for a page that no engine tells of any: GPUs, then cores in the order of their
/// numbers. Who has them is not known.
std::vector<protocol::DeviceStatus> rememberedDevices(const DeviceReadings &readings);

}  // namespace sweepscope::ui
