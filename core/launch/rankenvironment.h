#pragma once

#include "launch/launchspec.h"

#include <filesystem>
#include <map>
#include <string>

namespace sweepscope::launch {

/// Returns the variables that rank `rank` (of the whole attempt) gets on top of the agent's environment: torchrun's variables (RANK,
/// LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, GROUP_RANK, ROLE_*, MASTER_ADDR, MASTER_PORT, TORCHELASTIC_*), the
/// devices, OMP_NUM_THREADS unless the user set it, and SWEEPSCOPE_RING, SWEEPSCOPE_ATTEMPT_ID,
/// SWEEPSCOPE_ATTEMPT_FOLDER, SWEEPSCOPE_TRIAL. (The engine adds SWEEPSCOPE_PARAMS to `environment`: the trial's
/// parameters as a JSON object.)
///
/// CUDA_VISIBLE_DEVICES contains the UUIDs of *all* ranks' GPUs in the order of the ranks, the same for each:
/// LOCAL_RANK selects one, as scripts for torchrun do. It is empty if the attempt has no GPU, so that none is opened by
/// accident. SWEEPSCOPE_DEVICES contains this rank's own devices, separated by commas.
std::map<std::string, std::string> rankEnvironment(const LaunchSpec &spec, int rank, int masterPort,
                                                   const std::filesystem::path &ringPath,
                                                   const std::filesystem::path &attemptFolder);

/// The file to which torch's @record writes a rank's exception (TORCHELASTIC_ERROR_FILE).
std::filesystem::path rankErrorFile(const std::filesystem::path &attemptFolder, int rank);

}  // namespace sweepscope::launch
