#pragma once

#include "train/trainsettings.h"

#include <memory>
#include <torch/optim/optimizer.h>
#include <vector>

namespace sweepscope::train {

/// settings.optimizer over `parameters`, with PyTorch's defaults for what settings do not name.
std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const TrainSettings &settings,
                                                       std::vector<torch::Tensor> parameters);

void setLearningRate(torch::optim::Optimizer &optimizer, double rate);

/// After the optimiser was loaded: what it knows of a parameter lies where the parameter lies.
void moveStateToParameters(torch::optim::Optimizer &optimizer);

/// torch.nn.utils.clip_grad_norm_ with the Euclidean norm, operation for operation, without waiting for the GPU in
/// between: returns the norm before clipping. Parameters without a gradient do not count.
double clipGradients(const std::vector<torch::Tensor> &parameters, double largest);

}  // namespace sweepscope::train
