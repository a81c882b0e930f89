#pragma once

#include "sweep/records.h"

#include <vector>

namespace sweepscope::tests {

inline constexpr WallNs second = 1'000'000'000;

/// Parameters lr (float), hidden (integer) and optimizer (text); objective val_accuracy, maximized.
sweep::SweepRecord sampleSweep(std::int64_t id, int trials);

/// All waiting. The values of lr, 0.001, 0.0046…, would be sorted wrongly as strings.
std::vector<sweep::TrialRecord> sampleTrials(std::int64_t sweepId, int count);

void finish(sweep::TrialRecord &trial, double objective, WallNs started, WallNs ended);

}  // namespace sweepscope::tests
