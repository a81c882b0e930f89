#pragma once

#include "sweep/records.h"
#include "sweep/sweepspec.h"
#include "ui/analysis/analysisfigure.h"

#include <vector>

namespace sweepscope::tests {

/// A sweep over lr (logarithmic), optimizer, momentum (only with sgd), layers and augment, whose objective depends on
/// all of them; some of its trials were pruned, failed, are running, or ended without a value.
struct AnalysedSweep {
    sweep::SweepSpec spec;
    sweep::SweepRecord record;
    std::vector<sweep::TrialRecord> trials;

    explicit AnalysedSweep(int count);
    ui::FigurePtr figure(bool logarithmic = false) const;
};

}  // namespace sweepscope::tests
