#pragma once

#include "base/error.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <torch/types.h>

namespace sweepscope::train {

/// Images with their classes. `images`: uint8, N x 1 x height x width, raw pixel values; `labels`: int64, N.
struct LabelledImages {
    torch::Tensor images;
    torch::Tensor labels;

    std::int64_t size() const { return labels.defined() ? labels.size(0) : 0; }
    /// Rows in the order of `indices` (int64).
    LabelledImages select(const torch::Tensor &indices) const;
    LabelledImages to(torch::Device device) const;
};

/// What one trial trains, validates and tests on: three disjoint sets.
struct TrialData {
    LabelledImages train;
    LabelledImages validation;  ///< may be empty: validation_fraction = 0
    LabelledImages test;        ///< may be empty
    std::int64_t classes = 0;
    double pixelMean = 0;  ///< of the training images alone
    double pixelDeviation = 1;
};

/// Read settings.dataset and split it by settings.seed. digits: train, validation and test are drawn from the 1,797
/// images. mnist: validation is drawn from the 60,000 training images, test is the 10,000 test images.
Expected<TrialData> loadTrialData(const TrainSettings &settings);

}  // namespace sweepscope::train
