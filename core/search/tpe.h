#pragma once

#include "search/pointbuilder.h"
#include "search/suggestion.h"

#include <optional>

namespace sweepscope::search {

/// Whether trials run in brackets of Hyperband: the model then uses values at one rung (split.h).
bool inBrackets(const sweep::SweepSpec &spec);
/// Results that tpe waits for before it builds a model: 10; in brackets two more than there are parameters, as BOHB does.
std::size_t tpeStart(const SearchHistory &history);

/// Returns the point with the largest ratio of good to bad density among candidates drawn from the good density, by a
/// tree-structured Parzen estimator over all parameters jointly. nullopt if all candidates were tried or forbidden.
std::optional<Suggestion> suggestByTpe(const SearchHistory &history, int number, const PointBuilder &builder);

}  // namespace sweepscope::search
