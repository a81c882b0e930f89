#pragma once

#include "protocol/machinestatus.h"
#include "sweep/machinecheck.h"

#include <QString>

#include <optional>
#include <vector>

namespace sweepscope::ui {

/// Returns what trials can run on; nullopt until the engine has reported its devices.
std::optional<sweep::Capacity> capacityOf(const std::vector<protocol::DeviceStatus> &devices,
                                          const std::vector<protocol::MachineStatus> &machines);

/// "This machine has 2 × NVIDIA H200 with 141 GiB and 16 CPU cores." `note` says why there are no GPUs.
QString machineText(const std::vector<protocol::DeviceStatus> &devices, const QString &note);

}  // namespace sweepscope::ui
