#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace sweepscope::train {

/// This rank's place among the others, as torchrun or the agent says it in the environment.
struct RankEnvironment {
    int rank = 0;
    int localRank = 0;
    int worldSize = 1;
    int localWorldSize = 1;
    std::string masterAddress;  ///< empty when worldSize is 1 and MASTER_ADDR is not set
    std::uint16_t masterPort = 0;
    std::filesystem::path attemptFolder;     ///< empty outside Sweepscope
    std::filesystem::path parentCheckpoint;  ///< folder of the checkpoint that a new trial continues from; or empty
    bool agentStore = false;  ///< torchrun already serves a TCPStore at the master address: only clients here
    int gpu = 0;              ///< this rank's first one, among those that the process sees
    int restartCount = 0;     ///< torchrun's: a restarted group must not read its predecessor's keys

    bool alone() const { return worldSize == 1; }
    /// All ranks are on this machine.
    bool oneMachine() const { return localWorldSize == worldSize; }
};

/// RANK, LOCAL_RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT, TORCHELASTIC_USE_AGENT_STORE,
/// TORCHELASTIC_RESTART_COUNT, SWEEPSCOPE_ATTEMPT_FOLDER, SWEEPSCOPE_PARENT_CHECKPOINT, and SWEEPSCOPE_DEVICES with
/// CUDA_VISIBLE_DEVICES. Without RANK and WORLD_SIZE: one rank, alone. BadInput names the variable.
Expected<RankEnvironment> readRankEnvironment();

}  // namespace sweepscope::train
