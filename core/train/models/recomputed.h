#pragma once

#include <torch/nn/modules/container/any.h>
#include <torch/types.h>
#include <vector>

namespace sweepscope::train {

/// layer.forward(input), of which only the input is kept for backward, which computes the rest once more with the same
/// random numbers: activation checkpointing, as torch.utils.checkpoint. Takes a third more time, and the memory of one
/// layer. Running statistics change once. The layer must outlive backward; parameters get their gradients there, so the
/// graph of the result does not show them.
torch::Tensor forwardRecomputed(torch::nn::AnyModule &layer, const torch::Tensor &input, torch::Device device,
                                bool bf16);

}  // namespace sweepscope::train
