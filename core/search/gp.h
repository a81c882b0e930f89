#pragma once

#include "search/gaussianprocess.h"
#include "search/pointbuilder.h"
#include "search/suggestion.h"

#include <optional>
#include <vector>

namespace sweepscope::search {

/// Results that gp waits for before it builds a model: twice as many as parameters, at least 8, and at most a quarter of
/// the sweep's trials.
std::size_t gpStart(const SearchHistory &history);

/// Number of results at which the kernel is fitted last when there are `results`: at each one up to 50, then whenever they
/// have grown by a tenth.
std::size_t lastFit(std::size_t results);

/// The last fit of a history's kernel, and from what it was made: the next suggestion usually needs the same.
struct GpMemory {
    std::vector<int> numbers;
    std::vector<double> values;
    GpParameters parameters;
};

/// Returns the untried point with the largest expected improvement that is found, by a Gaussian process over all
/// parameters. A pruned trial counts with its value when it ended, a failed one as the worst. nullopt without a finite
/// result, with several objectives, and if no point is found.
std::optional<Suggestion> suggestByGp(const SearchHistory &history, int number, const PointBuilder &builder);

}  // namespace sweepscope::search
