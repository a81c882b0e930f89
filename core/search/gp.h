#pragma once

#include "search/pointbuilder.h"
#include "search/suggestion.h"

#include <optional>
#include <vector>

namespace sweepscope::search {

/// Results that gp waits for before it builds a model: twice as many as parameters, at least 8, and at most a quarter of
/// the sweep's trials.
std::size_t gpStart(const SearchHistory &history);

/// Returns the untried point with the largest expected improvement that is found, by a Gaussian process over all
/// parameters, times the probability that it is usable. A pruned trial counts with its value when it ended, one that
/// failed as the worst. Without a usable result the probability alone counts. nullopt without a finite result, with several objectives, and if no point is found.
std::optional<Suggestion> suggestByGp(const SearchHistory &history, int number, const PointBuilder &builder);

}  // namespace sweepscope::search
