#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sweepscope::sweep {

/// Returns for each of `weights` (size of a layer's parameters, in any unit) the stage it belongs to, of `stages`. Stages
/// never decrease, and each has a layer if there are enough.
std::vector<std::size_t> assignStages(const std::vector<std::int64_t> &weights, std::size_t stages);

}  // namespace sweepscope::sweep
