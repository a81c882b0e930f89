#pragma once

#include "diagnosis/evidence.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace sweepscope::diagnosis {

/// The mean of all ranks' losses, step by step.
struct LossCurve {
    double from = 0;
    double to = 0;
    std::vector<double> steps;
    std::vector<double> values;  ///< of these steps; those without a finite one are left out
};

std::vector<const RankEvidence *> ranksWithLoss(const AttemptEvidence &evidence);

/// Of at most 100,000 steps, or parts of equal length.
LossCurve meanLoss(const std::vector<const RankEvidence *> &ranks);

/// A loss that rises far above its lowest level and its start, and does not return.
struct Divergence {
    std::size_t begin = 0;  ///< the first value that stays above the threshold
    double best = 0;        ///< the lowest level
    double last = 0;        ///< the level at the end
    double threshold = 0;
};

/// nullopt if it does not diverge, or has fewer values than `leastLosses`.
std::optional<Divergence> divergenceOf(const std::vector<double> &losses);
inline constexpr std::size_t leastLosses = 6;

}  // namespace sweepscope::diagnosis
