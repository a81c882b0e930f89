#pragma once

#include "protocol/devicestatus.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// "GPU 1", "core 3", "simulated GPU 0", "gpu1: core 3"; nullopt for a GPU that its machine does not have (any more).
/// `known`: devices of all machines.
std::optional<QString> deviceName(const std::string &id, const std::vector<protocol::DeviceStatus> &known);
/// Its id if it has no name: "gpu1: GPU-1a2b".
QString deviceNameOrId(const std::string &id, const std::vector<protocol::DeviceStatus> &known);
/// "gpu1: core 3"; the name alone for a device of the engine's machine.
QString nameOnMachine(const std::string &machine, const QString &name);
/// Of all devices that jobs of a cluster have: "login1: jobs".
QString jobsOn(const std::string &machine);
/// The number of a core, also without its DeviceStatus; nullopt for a GPU.
std::optional<int> coreNumber(const std::string &id);

/// A short list with numbers first: "cores 0–3", "GPU 0, 2", "GPU 0 (simulated)", "gpu1: cores 0–3"; a GPU that its
/// machine does not have (any more) with its id. Devices that Slurm has chosen: "Slurm: a job".
QString devicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &known);
/// For narrow places: "sim. GPU 0".
QString shortDevicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &known);

/// "digits-mlp trial 3".
QString holderText(const protocol::DeviceHolder &holder);
QStringList holderTexts(const std::vector<protocol::DeviceHolder> &holders);

}  // namespace sweepscope::ui
