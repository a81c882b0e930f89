#pragma once

#include "search/pointbuilder.h"
#include "search/suggestion.h"

#include <optional>

namespace sweepscope::search {

/// Results that tpe waits for before it builds a model.
inline constexpr std::size_t tpeStart = 10;

/// The point with the largest ratio of good to bad density among candidates drawn from the good density. A tree-structured
/// Parzen estimator over all parameters jointly. nullopt if all candidates were tried or forbidden.
std::optional<Suggestion> suggestByTpe(const SearchHistory &history, int number, const PointBuilder &builder);

}  // namespace sweepscope::search
