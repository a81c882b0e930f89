#pragma once

#include "sweep/records.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::analysis {

/// The trials that came as far as a step at which some were pruned.
struct PruningRung {
    std::int64_t step = 0;
    int reached = 0;
    int pruned = 0;  ///< there
};

struct SavedByPruning {
    int pruned = 0;
    double share = 0;  ///< of all the steps that the completed and pruned trials would have made, from 0 to 1
    std::vector<PruningRung> rungs;
};

/// Estimates what pruning has saved: pruned trials would have made as many steps as completed ones, in the median.
/// nullopt before a trial was pruned and another one has completed.
std::optional<SavedByPruning> savedByPruning(const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::analysis
