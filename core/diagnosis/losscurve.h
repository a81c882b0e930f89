#pragma once

#include "diagnosis/evidence.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::diagnosis {

/// The mean of the losses of all ranks, step by step.
struct LossCurve {
    double from = 0;
    double to = 0;
    std::vector<double> steps;
    std::vector<double> values;  ///< of these steps; those without a finite one are left out
};

inline constexpr const char *trainingLoss = "loss";

/// The reported series that training lowers: "loss", others whose name ends in that word, such as "val/loss", and an objective
/// that is minimized.
std::vector<std::string> lossNames(const AttemptEvidence &evidence);

std::vector<const RankEvidence *> ranksReporting(const AttemptEvidence &evidence, const std::string &name);

/// Of at most 100,000 steps, or parts of equal length. All of the ranks report the series.
LossCurve meanLoss(const std::vector<const RankEvidence *> &ranks, const std::string &name);

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
