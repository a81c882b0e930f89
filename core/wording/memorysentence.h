#pragma once

#include "facts/fact.h"

#include <string>

/// Whether a trial fits into memory.
namespace sweepscope::wording {

/// "hybrid, 2 ranks of 4 GPUs"
std::string parallelLayout(const facts::Fact &fact);
/// Of MemoryFits, MemoryShort and ModelUnsplit, without the layout: "needs 1.3 GiB of 80 GiB (NVIDIA H100), …"
std::string memoryVerdict(const facts::Fact &fact);

}  // namespace sweepscope::wording
