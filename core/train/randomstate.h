#pragma once

#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// The default generators of the CPU and of each GPU among `devices`, in their order, as bytes.
torch::Tensor randomState(const std::vector<torch::Device> &devices);
/// Of a state that was taken with other devices what fits is set: a trial that goes on elsewhere goes on.
void setRandomState(const torch::Tensor &state, const std::vector<torch::Device> &devices);

}  // namespace sweepscope::train
