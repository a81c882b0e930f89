#pragma once

#include "protocol/machinestatus.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// "cores 0-3", "gpu1: GPU 0,2", for lists of device ids; a GPU that is not among `known` with its id.
std::string deviceListInWords(const std::vector<std::string> &devices,
                              const std::vector<protocol::DeviceStatus> &known = {});

/// The state of another machine: its name, address and connection; what is in use; what is wrong.
std::vector<std::string> linesOf(const protocol::MachineStatus &machine);

}  // namespace sweepscope::ctl
