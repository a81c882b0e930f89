#pragma once

#include "train/data/dataset.h"

#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// Count, mean and sum of squared deviations of a rank's part of the training inputs, as float64 of 1 + 2 * values: one
/// value per channel of images, one per column of features. The same shape on every rank, also for no rows at all.
torch::Tensor momentsOf(const torch::Tensor &inputs, SampleKind kind);

/// Mean and deviation over all parts (merged in their order by the formula of Chan, Golub, LeVeque 1979), in the shape
/// in which they broadcast over samples of `inputs`' shape. A deviation of 0 becomes 1.
Normalisation mergeMoments(const std::vector<torch::Tensor> &parts, const torch::Tensor &inputs, SampleKind kind);

}  // namespace sweepscope::train
