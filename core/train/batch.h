#pragma once

#include "train/data/dataset.h"

namespace sweepscope::train {

/// What a model takes: normalised float images and their classes, on one device.
struct Batch {
    torch::Tensor images;
    torch::Tensor labels;

    std::int64_t size() const { return labels.size(0); }
};

/// (pixel - mean) / deviation of the images at `indices` (int64, on the images' device).
Batch makeBatch(const LabelledImages &from, const torch::Tensor &indices, double pixelMean, double pixelDeviation);

}  // namespace sweepscope::train
