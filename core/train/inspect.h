#pragma once

#include "base/error.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <string>

namespace sweepscope::train {

struct InspectOptions {
    int ranks = 1;
    int rank = 0;
    std::int64_t epoch = 0;  ///< from 0, as DistributedSampler.set_epoch() counts
    bool values = false;     ///< parameters with all their values, not only hashes
};

/// What a rank would see in an epoch, without training: the split, its sample indices, the model's initial parameters.
/// One JSON object, described in docs/training.md.
Expected<std::string> inspectTrial(const TrainSettings &settings, const InspectOptions &options);

}  // namespace sweepscope::train
