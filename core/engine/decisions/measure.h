#pragma once

#include "engine/decisions/decision.h"

namespace sweepscope::engine {

/// In a batch-size probe: stops the queued trials whose value is at or above one that ran out of memory.
Decision stopBeyondMemory(const SweepView &view, WallNs now);

}  // namespace sweepscope::engine
