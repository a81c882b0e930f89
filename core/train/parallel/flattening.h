#pragma once

#include "train/parallel/processgroup.h"

#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// Rank 0's values everywhere, in pieces that hold several tensors, since each exchange takes its time. Collective.
void takeFromRank0(const std::vector<torch::Tensor> &tensors, ProcessGroup &group);

/// Makes the tensors parts of one for each device and type, and returns those.
std::vector<torch::Tensor> flattened(const std::vector<torch::Tensor> &tensors);

}  // namespace sweepscope::train
