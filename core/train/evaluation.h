#pragma once

#include "train/data/dataset.h"
#include "train/parallel/processgroup.h"
#include "train/stepreporter.h"

#include <torch/nn/modules/container/sequential.h>

namespace sweepscope::train {

/// Number of the batch's images whose largest score is their class.
std::int64_t countCorrect(const torch::Tensor &scores, const torch::Tensor &labels);

/// Mean cross-entropy and accuracy over all of `set`. Each rank computes every size-th image, each image counts once
/// (no padding), and the sums are added over ranks. Leaves the model in training mode. `set` must not be empty.
Score evaluate(torch::nn::Sequential &model, const LabelledImages &set, const TrialData &data, ProcessGroup &group);

}  // namespace sweepscope::train
