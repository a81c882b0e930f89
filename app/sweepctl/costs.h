#pragma once

#include "sweep/costfactors.h"

namespace sweepscope::ctl {

/// The user's factors. If they cannot be read, there are none, and stderr says why.
sweep::CostFactors costFactors();

}  // namespace sweepscope::ctl
