#pragma once

#include "search/observation.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// A history in two parts, as ascending places.
struct Split {
    std::vector<std::size_t> good;
    std::vector<std::size_t> bad;
};

/// Splits the trials at `places` into the best `goodCount` and all others. Complete ones come first, by value (with
/// several objectives by rank of non-domination, the last rank by the hypervolume that they add); then pruned ones, the
/// longest running first; then infeasible ones. Failed and pending trials are always bad, and so is a complete trial
/// with fewer values than others. Equal trials keep their order.
Split splitHistory(History history, const std::vector<std::size_t> &places, std::size_t goodCount);

/// The rung whose values tell most about trials in brackets: the largest that at least `needed` of those at `places` have
/// reached with a finite value; nullopt if there is none. A model of Hyperband's trials must not prefer one that happened
/// to be in a bracket that compares late (Falkner et al. 2018, BOHB).
std::optional<std::int64_t> modelRung(History history, const std::vector<std::size_t> &places, std::size_t needed);

/// Splits by the values at a rung: the best tenth of those that have one, as goodCount() says, and all others.
Split splitAtRung(History history, const std::vector<std::size_t> &places, std::int64_t rung);

/// Returns how many of `finished` observations are good: a tenth, and at most 25 if there is one objective.
std::size_t goodCount(std::size_t finished, std::size_t objectives);

}  // namespace sweepscope::search
