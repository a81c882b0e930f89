#pragma once

#include "facts/fact.h"

#include <string>

/// Why a trial has no devices.
namespace sweepscope::wording {

/// "waits for 2 of 4 GPUs: 1 is in use; GPU 3 is used by python, pid 4711 of anna, 61 GiB"
std::string waitingForDevices(const facts::Fact &fact);
/// "needs 3 GPUs (3 ranks with 1 each), but this machine has 2: …"
std::string devicesImpossible(const facts::Fact &fact);
/// "GPU 3 is leased to …"; without its subject where the fact names no GPU.
std::string conditionOfGpu(const facts::Fact &fact);
std::string connectionOfGpus(const facts::Fact &fact);

}  // namespace sweepscope::wording
