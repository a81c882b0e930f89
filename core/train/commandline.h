#pragma once

#include "base/error.h"
#include "train/preflight.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::train {

/// The arguments of sweepscope-worker.
struct CommandLine {
    std::uint64_t seed = 0;
    std::string backend = "auto";
    std::vector<std::string> assignments;  ///< KEY=VALUE
    std::string metrics;                   ///< file of JSON lines; {rank} is filled in
    std::filesystem::path checkpoints;     ///< folder; empty: the attempt's
    bool inspect = false;                  ///< print what would be seen, train nothing
    std::optional<int> inspectRanks{};
    std::optional<int> inspectRank{};
    std::int64_t inspectEpoch = 0;
    bool inspectValues = false;
    bool memory = false;                          ///< measure the memory of a step, and print it
    std::optional<PreflightOptions> preflight{};  ///< test the links between GPUs first
};

/// Empty when the answer was already printed (--help): then `exitCode` is how to end.
Expected<std::optional<CommandLine>> readCommandLine(int argc, char **argv, int &exitCode);

}  // namespace sweepscope::train
