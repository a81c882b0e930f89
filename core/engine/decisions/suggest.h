#pragma once

#include "engine/decisions/decision.h"
#include "search/suggestion.h"

namespace sweepscope::engine {

/// Returns whether a search should choose another point: it is to add one, and fewer trials run than may.
bool wantsPoint(const SweepView &view);

/// What a point was chosen from. With the sweep's seed and the trial's number, these are all inputs of a choice.
struct SearchInputs {
    std::int64_t revision = 0;  ///< changes of trials that were known
    int definition = 0;         ///< edits and undos until then
    std::int64_t reports = 0;   ///< entries of the pruning log that were known; 0 where the search does not use them
};

/// Returns whether the point continues a trial that has finished its last step meanwhile, so that nothing is left to
/// train.
bool isParentTrained(const SweepView &view, const tl::expected<search::Suggestion, facts::Fact> &point);

/// Adds a trial of this point, or ends the search if too little is expected of it.
Decision addSuggested(const SweepView &view, const search::Suggestion &suggestion, const SearchInputs &inputs);

/// Ends the search for this reason, and stops queued trials.
Decision endSearch(const SweepView &view, const facts::Fact &reason);

}  // namespace sweepscope::engine
