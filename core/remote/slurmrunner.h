#pragma once

#include "remote/ssh.h"
#include "slurm/commands.h"

namespace sweepscope::remote {

/// Runs Slurm's programs on a login node, in a login shell, which knows where they are. `ssh` is connected, and outlives it.
slurm::Runner slurmRunner(const Ssh &ssh);

}  // namespace sweepscope::remote
