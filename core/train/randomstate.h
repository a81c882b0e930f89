#pragma once

#include <torch/types.h>

namespace sweepscope::train {

/// The default generators of the CPU and, for a GPU, of `device`, as bytes.
torch::Tensor randomState(torch::Device device);
void setRandomState(const torch::Tensor &state, torch::Device device);

}  // namespace sweepscope::train
