#pragma once

#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// The default generators of the CPU and of each GPU among `devices`, in their order, as bytes.
torch::Tensor randomState(const std::vector<torch::Device> &devices);
/// Restores what fits of a state saved with other devices, so that a trial can resume on another machine.
void setRandomState(const torch::Tensor &state, const std::vector<torch::Device> &devices);

}  // namespace sweepscope::train
