#pragma once

#include "protocol/devicestatus.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// "GPU 1", "core 3", "simulated GPU 0"; nullopt for a GPU that the machine does not have (any more).
std::optional<QString> deviceName(const std::string &id, const std::vector<protocol::DeviceStatus> &machine);

/// A short list with numbers first: "cores 0–3", "GPU 0, 2", "GPU 0 (simulated)"; a GPU that the machine does not have
/// (any more) with its id.
QString devicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &machine);
/// For narrow places: "sim. GPU 0".
QString shortDevicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &machine);

/// "digits-mlp trial 3".
QString holderText(const protocol::DeviceHolder &holder);
QStringList holderTexts(const std::vector<protocol::DeviceHolder> &holders);

}  // namespace sweepscope::ui
