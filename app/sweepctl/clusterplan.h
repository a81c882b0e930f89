#pragma once

#include "schedule/sweepplan.h"
#include "sweepinput.h"

#include <optional>
#include <string>

namespace sweepscope::ctl {

/// Prints what the jobs of a sweep ask for, and when Slurm expects the first one to start. Submits nothing. Returns the exit code.
int planOnCluster(const SweepInput &input, const std::string &file, const std::optional<schedule::TimeBasis> &basis,
                  bool json);

}  // namespace sweepscope::ctl
