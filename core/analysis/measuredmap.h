#pragma once

#include "analysis/trialvalues.h"

#include <cstddef>
#include <vector>

namespace sweepscope::analysis {

/// How a map divides a parameter into columns or rows: one for each category or each value of a short list, else stretches of
/// equal length on the parameter's scale.
struct MapAxis {
    std::size_t parameter = 0;   ///< index in the trial values
    int cells = 0;               ///< without the one for trials that lack the parameter
    std::vector<double> levels;  ///< the values of a list, ascending, one for each cell; else empty
    bool isDivided = false;      ///< into stretches
};

/// The trials whose values of two parameters belong together.
struct MapCell {
    static constexpr int unset = -1;  ///< column or row of trials that lack the parameter
    int column = 0;
    int row = 0;
    int completed = 0;
    int others = 0;   ///< pruned and stopped ones: their values are of other steps and enter nothing
    double mean = 0;  ///< of the completed ones, as are the following; NaN without any
    double best = 0;
    double meanRank = 0;
    int bestTrial = 0;  ///< number; without completed ones, of the first trial
};

/// What the trials measured over two parameters, without a model.
struct MeasuredMap {
    MapAxis x;
    MapAxis y;
    std::vector<MapCell> cells;  ///< those with trials
};

MapAxis mapAxis(const TrialValues &values, std::size_t parameter);

/// The rank of each row by its value, from 1 for the best; equal values share the smallest.
std::vector<int> ranksOf(const TrialValues &values);

/// `x` and `y`: indexes of parameters. `ranks`: those of the rows. Only rows `within` count. Takes some milliseconds for 10,000
/// trials.
MeasuredMap measuredMap(const TrialValues &values, std::size_t x, std::size_t y, const std::vector<int> &ranks,
                        const std::vector<char> &within);

}  // namespace sweepscope::analysis
