#pragma once

#include "train/trainsettings.h"

#include <memory>
#include <torch/optim/optimizer.h>
#include <vector>

namespace sweepscope::train {

/// settings.optimizer over `parameters`, with PyTorch's defaults for what settings do not name.
std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const TrainSettings &settings,
                                                       std::vector<torch::Tensor> parameters);

}  // namespace sweepscope::train
