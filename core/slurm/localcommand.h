#pragma once

#include "slurm/commands.h"

namespace sweepscope::slurm {

/// Runs a program on this machine, found in PATH. After the limit its process group is killed (Timeout).
Expected<Output> runHere(const std::vector<std::string> &command, const std::string &input,
                         std::chrono::milliseconds limit);

}  // namespace sweepscope::slurm
