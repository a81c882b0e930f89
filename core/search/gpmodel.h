#pragma once

#include "search/feasibility.h"
#include "search/gaussianprocess.h"
#include "search/gpresults.h"
#include "search/outputwarp.h"
#include "search/searchhistory.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// Number of results at which the kernel is fitted last when there are `results`: at each one up to 50, then whenever they
/// have grown by a tenth.
std::size_t lastFit(std::size_t results);

/// The fit of a kernel, and from what it was made.
struct GpFit {
    std::vector<int> numbers;
    std::vector<double> values;
    GpParameters parameters;
};

/// The last fits of a history's kernels: the next model usually needs the same.
struct GpMemory {
    std::optional<GpFit> values;
    std::vector<std::optional<GpFit>> excesses;  ///< as excessesOf()
    std::optional<GpFit> costs;
};

/// What trials cost, learned from those that ran to their end. It matters where time is what a sweep may use up.
struct GpCosts {
    GpPosterior posterior;  ///< of logarithms of device-seconds, scaled
    double mean = 0;        ///< of these logarithms
    double deviation = 1;

    /// Of device-seconds.
    Eigen::VectorXd logarithms(const GpInputs &points) const;
};

/// Gaussian processes fitted to the results of a history, and to their outcomes.
struct GpModel {
    std::size_t resultCount = 0;  ///< of the history
    GpResults results;            ///< those that the model knows
    OutputWarp warp;              ///< from results of this sweep to what the process predicts
    GpData data;                  ///< `results`, warped, each source by itself
    GpInputs known;               ///< points of `results` that are of this sweep
    GpInputs pending;             ///< points of unfinished trials
    GpParameters parameters;
    GpPosterior posterior;
    std::optional<Feasibility> feasibility;  ///< nullopt as long as all trials were usable
    std::optional<GpCosts> costs;            ///< nullopt without a budget, and where all trials cost the same
};

/// Fits a model to at most `most` results: the best, the newest, and of the others those that are far apart. A pruned trial
/// counts with its value when it ended, one that failed as the worst. nullopt without a finite result, with several objectives, and if the covariance is not positive definite in floating-point arithmetic.
std::optional<GpModel> fitGpModel(const SearchHistory &history, std::size_t most);

/// A point as the model sees it: without parameters that are not modelled.
Eigen::RowVectorXd gpInput(const SearchHistory &history, Coordinates point);

}  // namespace sweepscope::search
