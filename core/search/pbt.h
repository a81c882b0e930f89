#pragma once

#include "search/pointbuilder.h"
#include "search/searchhistory.h"
#include "search/suggestion.h"

#include <optional>

namespace sweepscope::search {

/// How many trials train at the same time.
int populationOf(const sweep::SweepSpec &spec);

/// Population-based training (Jaderberg et al. 2017), without generations: a trial that the rule of pruning ends, or that
/// fails, is replaced by one that continues from the checkpoint of one of the best quarter of the trials that still train,
/// with settings near that one's: each is multiplied by up to 1.44, or divided by it, or drawn anew with probability 1/4.
/// One that completes is not replaced, so the search ends when the population has completed.
///
/// Trials are compared at the rung that most of those that train have reached, the last of several. nullopt if the next
/// trial starts from scratch: the population is not complete, or none that trains has a value. Without a further trial:
/// ResultsAwaited, PopulationDone or ConstraintsTight.
tl::expected<std::optional<Suggestion>, facts::Fact> suggestByPbt(const SearchHistory &history, int number,
                                                                  const PointBuilder &builder);

}  // namespace sweepscope::search
