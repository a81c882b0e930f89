#pragma once

#include "search/gaussianprocess.h"
#include "search/outputwarp.h"
#include "search/searchhistory.h"

#include <cstddef>
#include <optional>
#include <vector>

/// What of a history a Gaussian process learns.
namespace sweepscope::search {

/// The finished trials from which a model learns, by number.
struct GpResults {
    std::vector<std::size_t> places;  ///< in SearchHistory::trials()
    std::vector<double> values;       ///< finite, smaller is better; those of different sources do not compare
};

/// Of all finished trials. An infinite value, and that of a trial that failed or violates a constraint by an unknown amount,
/// counts as the worst finite one of the same source; a source without a finite value counts only for excessesOf().
/// nullopt if none has one, and with several objectives.
std::optional<GpResults> resultsOf(const SearchHistory &history);
/// Why trials were not usable: above 0 where they were not. The first are failures, 1 or -1, which include violations of
/// unknown size; then for each constraint on results by how much it was exceeded. Empty ones are known to be met everywhere.
std::vector<GpResults> excessesOf(const SearchHistory &history);
/// Of the trials of this sweep that ran to their end, the logarithms of their costs.
GpResults costsOf(const SearchHistory &history);

/// The first `count` results.
GpResults firstOf(const GpResults &results, std::size_t count);
/// Keeps `most`: the best, the newest, and of the others those that are farthest from what is kept.
GpResults thinned(const SearchHistory &history, const GpResults &all, std::size_t most);

/// Results as a process sees them.
GpData dataOf(const SearchHistory &history, const GpResults &results, Eigen::VectorXd values);
GpInputs inputsOf(const SearchHistory &history, const std::vector<std::size_t> &places);

/// What the process of the objective learns.
struct GpTargets {
    Eigen::VectorXd values;
    OutputWarp warp;  ///< of results of this sweep
};

/// Scales each source by itself, because values shift and stretch with the data set and the budget. This hides how results of
/// this sweep compare with the others', so their mean is set to what the others predict: fully for the first results, and less
/// as more arrive.
GpTargets targetsOf(const SearchHistory &history, const GpResults &results);

}  // namespace sweepscope::search
