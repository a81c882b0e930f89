#pragma once

#include "search/pointbuilder.h"
#include "search/suggestion.h"

#include <optional>

namespace sweepscope::search {

/// Whether the space has neither categories nor conditions, and the trials one objective.
bool isForCmaes(const SearchHistory &history);

/// Results that make the first generation. Until then points are drawn around the middle of the space. Only if isForCmaes().
std::size_t cmaesPopulation(const SearchHistory &history);

/// Returns an untried point drawn by CMA-ES. Generations are the finished trials in the order of their numbers, whatever
/// chose them; the last ones that make no whole generation count later. nullopt if it is not for CMA-ES, and if all
/// draws were tried or forbidden.
std::optional<Suggestion> suggestByCmaes(const SearchHistory &history, int number, const PointBuilder &builder);

}  // namespace sweepscope::search
