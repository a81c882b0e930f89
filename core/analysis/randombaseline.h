#pragma once

#include "analysis/surrogate.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sweepscope::analysis {

/// The best value that random search would have found, estimated from the results of another search. Each list has the
/// value after 1, 2, 3, … trials, in the unit of the target.
struct RandomBaseline {
    std::vector<double> medians;
    std::vector<double> lows;  ///< between low and high are 80% of the searches
    std::vector<double> highs;
};

/// Whether a comparison with random search says what the sweep's search gains: its points follow from results, each runs
/// once, and there is one objective.
bool isComparableWithRandom(const sweep::SweepSpec &spec);

/// Simulates 400 random searches of up to `trials` trials, at most 400. Each takes random points of the sweep's space in
/// random order, and their results from another function drawn from the surrogate, so that the band covers both the luck of the draw and what the surrogate does not know. The points come from one pool of 800, or from all
/// points of a smaller space. The same arguments give the same result.
///
/// Medians and not means, because a mean would follow the few searches that begin with a result that exploded.
///
/// nullopt if fewer than two points are found. The lists are shorter than `trials` if the space has fewer points.
std::optional<RandomBaseline> randomBaseline(const Surrogate &surrogate, std::size_t trials);

}  // namespace sweepscope::analysis
