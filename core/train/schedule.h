#pragma once

#include "train/trainsettings.h"

#include <cstdint>

namespace sweepscope::train {

/// At least 1.
std::int64_t stepsOfTraining(const TrainSettings &settings, std::int64_t stepsPerEpoch);

/// The learning rate as a function of the step alone, so that a resumed trial needs no state for it. `schedule`:
///   constant   lr
///   step       lr * decay_factor ^ (whole decay_epochs that have passed)           torch.optim.lr_scheduler.StepLR
///   cosine     half a cosine from lr to 0 over the trial                           CosineAnnealingLR
///   one_cycle  up to lr over the first 30 %, then down to nearly 0, as cosines     OneCycleLR
/// During the first `warmup_steps` steps it grows linearly on top (not with one_cycle, which has its own).
class Schedule {
public:
    Schedule(const TrainSettings &settings, std::int64_t stepsPerEpoch);

    /// `step` counts from 0.
    double rate(std::int64_t step) const;

private:
    double plannedRate(std::int64_t step) const;
    double oneCycleRate(std::int64_t step) const;

    TrainSettings m_settings;
    std::int64_t m_stepsPerEpoch;
    std::int64_t m_total;
};

}  // namespace sweepscope::train
