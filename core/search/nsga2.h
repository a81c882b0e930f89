#pragma once

#include "search/pointbuilder.h"
#include "search/searchhistory.h"
#include "search/suggestion.h"

#include <optional>

namespace sweepscope::search {

/// How many trials are parents, and how many results are needed before two of them are crossed.
std::size_t nsga2Population(const SearchHistory &history);

/// Crosses two of the best trials: NSGA-II (Deb et al. 2002), one point at a time (Durillo et al. 2009), so that no worker
/// waits for a generation. Parents are the best by dominance and, in the last rank that fits, by hypervolume. Of two drawn
/// at random the one of the better rank is taken. Numbers are crossed and mutated as in Deb & Agrawal 1995 and Deb & Goyal
/// 1996. nullopt if no untried point is found.
std::optional<Suggestion> suggestByNsga2(const SearchHistory &history, int number, const PointBuilder &builder);

}  // namespace sweepscope::search
