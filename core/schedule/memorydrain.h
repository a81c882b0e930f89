#pragma once

#include <cstdint>
#include <optional>

namespace sweepscope::schedule {

/// Bytes that may be in use of a GPU whose last trial has ended for its memory to count as free again: what was in use
/// before it, or what others use now, and a little more, as a driver keeps something of a process for a while.
/// `before`: empty where nobody has seen it. `memoryBytes`: of the GPU; 0: not known.
double drainedBelow(std::optional<double> before, double others, std::uint64_t memoryBytes);

}  // namespace sweepscope::schedule
