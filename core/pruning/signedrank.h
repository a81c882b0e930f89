#pragma once

#include <span>

namespace sweepscope::pruning {

/// Returns the probability of differences at least as much above 0 as these, if they were symmetric around 0: Wilcoxon's
/// signed-rank test, one-sided. Ranks of zeros are split between the signs. Exact for up to 50 differences without ties
/// and zeros, and for up to 13 with; else by the normal approximation with its correction for ties, without one for
/// continuity, as SciPy 1.17 does with zero_method="zsplit". 1 for an empty list. Differences must be finite.
double signedRankProbability(std::span<const double> differences);

}  // namespace sweepscope::pruning
