#pragma once

#include "protocol/machinestatus.h"
#include "schedule/machinenow.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sweepscope::remote {

/// The other machines of a workspace for a plan (schedule::planSweep), as the engine knows them. What trials of the sweep
/// `ownSweep` have counts as free: the plan lets them go on. Devices of a machine that is not connected, and of a cluster, are
/// not known.
std::map<std::string, schedule::OtherMachine> knownMachines(const std::vector<protocol::MachineStatus> &machines,
                                                            std::int64_t ownSweep = 0);

}  // namespace sweepscope::remote
