#pragma once

#include "jsonvalues.h"
#include "schedule/memoryplan.h"
#include "storedsweeps.h"

#include <string>

/// Memory of a planned sweep, as text and JSON.
namespace sweepscope::ctl {

/// A table with a line for each layout and model of GPU.
std::string memoryInWords(const schedule::MemoryPlan &plan);
Json memoryJson(const schedule::MemoryPlan &plan);

/// Which layout is fastest, as far as probes of the workspace with the same model and data have measured it: lines of text.
std::string fastestInWords(const StoredSweeps *stored, const sweep::SweepSpec &spec);

}  // namespace sweepscope::ctl
