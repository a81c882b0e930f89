#pragma once

#include "base/checkrow.h"
#include "slurm/commands.h"

#include <functional>

namespace sweepscope::slurm {

struct Probe {
    Settings settings;  ///< `known`, completed
    bool canSubmit = false;
};

/// Asks a cluster what it has and allows. Takes seconds. Calls `report` for each row as soon as it is known.
Probe probeCluster(const Commands &commands, const Settings &known,
                   const std::function<void(const CheckRow &)> &report);

}  // namespace sweepscope::slurm
