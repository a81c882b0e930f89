#pragma once

#include "sweep/sweepspec.h"

#include <cstdint>

namespace sweepscope::pruning {

/// Brackets of Hyperband (Li et al. 2018, algorithm 1): in the first, trials are compared from the first rung on, in
/// each further one from the next rung on; in the last they are never compared before the end.
int bracketsOf(const sweep::PruneSection &prune);

/// Bracket of a trial, from 0. In every stretch of trials the brackets have about the shares of Hyperband: bracket b of B
/// runs ceil(B * factor^s / (s + 1)) trials with s = B - 1 - b. A function of the sweep's seed and the trial's number, so
/// that neither restarts nor the order of trials change it.
int bracketOf(const sweep::PruneSection &prune, std::uint64_t seed, int trial);

/// The rung at which a bracket's trials are compared first.
std::int64_t firstRungOf(const sweep::PruneSection &prune, int bracket);

}  // namespace sweepscope::pruning
