#pragma once

#include "protocol/machinestatus.h"

#include <string>
#include <vector>

namespace sweepscope::ctl {

/// What the engine of the workspace knows of its other machines; without an engine, only their names.
struct OtherMachines {
    std::vector<protocol::MachineStatus> machines;
    bool engineRuns = false;
};

/// Waits for a running engine, but starts none.
OtherMachines readOtherMachines(const std::string &workspace);

}  // namespace sweepscope::ctl
