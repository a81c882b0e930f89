#pragma once

#include "search/observation.h"

#include <cstddef>
#include <vector>

namespace sweepscope::search {

/// A history in two parts: places in it, ascending.
struct Split {
    std::vector<std::size_t> good;
    std::vector<std::size_t> bad;
};

/// The best `goodCount` of the trials at `places` against all others there. Complete ones come first, by value (with several
/// objectives by rank of non-domination, the last rank by the hypervolume that they add); then pruned ones, the longest
/// running first; then infeasible ones. Failed and pending trials are always bad, and so
/// is a complete trial with fewer values than others. Equal trials keep their order.
Split splitHistory(History history, const std::vector<std::size_t> &places, std::size_t goodCount);

/// How many of `finished` observations are good: a tenth, and at most 25 if there is one objective.
std::size_t goodCount(std::size_t finished, std::size_t objectives);

}  // namespace sweepscope::search
