#pragma once

#include "sweep/searchspace.h"

#include <atomic>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// The points with which a search begins.
struct FirstPoints {
    std::vector<sweep::ParameterSet> points;  ///< of trials 1, 2, …
    /// The number of trials whose points do not depend on results, of which `points` has the first; nullopt for all trials.
    std::optional<int> certain;
};

/// Returns the points that trials 1, 2, … of the sweep will try whatever they report, at most `most`. There are fewer if later
/// ones depend on results, or if the sweep has fewer trials or the space fewer points, and none for a grid, with a warm
/// start, or if another program chooses. `spec` must be valid, and `space` compiled from it. Takes up to a second per point if
/// constraints leave little of the space; once `cancelled` is set it returns what it has.
FirstPoints firstPoints(const sweep::SweepSpec &spec, const sweep::SearchSpace &space, int most,
                        const std::atomic<bool> &cancelled);

}  // namespace sweepscope::search
