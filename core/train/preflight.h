#pragma once

#include "train/rankenvironment.h"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::train {

/// Options of the test of the links between the ranks' GPUs, which runs before the training.
struct PreflightOptions {
    std::filesystem::path file;  ///< sweep::LinkTest with the promised bandwidths; rank 0 adds the measured ones
    std::filesystem::path keep;  ///< rank 0 copies a complete result there; may be empty
    std::chrono::milliseconds limit = std::chrono::seconds(30);  ///< for each pair, and for all ranks together
    std::vector<std::string> command;                            ///< the rank's program, which replaces this one
};

/// Measures in a child process, so that nothing of it is left on the GPU: two ranks at a time exchange data, then all of
/// them. Becomes the command afterwards; returns an exit code instead if a link is broken, or the command cannot be
/// started. If the test itself is impossible (no NCCL, a rank that does not come), says so in the log and becomes the command.
///
/// SWEEPSCOPE_PREFLIGHT_LINKS, for tests, measures over Gloo on the CPU, and slows pairs of ranks down:
/// "0-1=50ms,1-2=hang,0-2=wrong".
int runPreflight(const PreflightOptions &options, const RankEnvironment &environment);

}  // namespace sweepscope::train
