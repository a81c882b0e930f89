#pragma once

#include "train/batch.h"
#include "train/data/sampleorder.h"
#include "train/network.h"
#include "train/optimizer.h"
#include "train/parallel/distributeddataparallel.h"
#include "train/schedule.h"
#include "train/stepper.h"
#include "train/trainsettings.h"
#include "train/weightaverage.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sweepscope::train {

/// All that one rank trains with, made in the order in which its parts need each other. `settings` must outlive it.
struct Replica {
    std::unique_ptr<Network> network;
    DistributedDataParallel parallel;
    Optimizer optimizer;
    WeightAverage average;
    SampleOrder order;
    std::int64_t batchesPerEpoch;
    std::int64_t stepsPerEpoch;
    std::int64_t steps;  ///< of the whole training
    Schedule schedule;
    BatchMaker maker;
    Stepper stepper;
    std::int64_t firstSample;  ///< of the training part, that this rank holds

    Replica(const TrainSettings &settings, const TrialData &data, ProcessGroup &group,
            const std::vector<torch::Device> &devices, std::optional<Stepper::Figures> figures);
};

}  // namespace sweepscope::train
