#pragma once

#include "base/error.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// What torchrun would start on this machine.
struct TorchrunCommand {
    std::vector<std::string> command;  ///< of each process
    std::string processes = "1";       ///< per machine: a number, "gpu", "cpu" or "auto"
    int restarts = 0;                  ///< of all processes, after one has failed
};

/// Reads `torchrun OPTIONS SCRIPT …` and `python -m torch.distributed.run OPTIONS SCRIPT …`. nullopt: it is another program.
/// BadInput names an option that has no counterpart in an attempt, such as several machines. `python`: the interpreter
/// that belongs to this torchrun.
std::optional<Expected<TorchrunCommand>> parseTorchrun(const std::vector<std::string> &command,
                                                       const std::string &python);

/// Returns the number of processes on a machine with so many GPUs and CPU cores; nullopt if it is not one of the words and
/// no number from 1 to 1024.
std::optional<int> processesOf(const std::string &processes, int gpus, int cpuCores);

}  // namespace sweepscope::sweep
