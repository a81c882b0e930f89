#pragma once

#include "train/trainsettings.h"

#include <cstdint>
#include <torch/nn/modules/container/sequential.h>

namespace sweepscope::train {

/// What comes in and goes out: N x 1 x height x width -> N x classes scores.
struct ModelShape {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t classes = 0;
};

/// settings.model:
///   linear   flatten, linear
///   mlp      flatten, `layers` times (linear to `hidden`, ReLU, dropout), linear
///   cnn      conv 3x3 to 16, ReLU, max-pool 2, conv 3x3 to 32, ReLU, max-pool 2, flatten, linear to `hidden`, ReLU,
///            dropout, linear                                (images of at least 4 x 4)
/// Layers draw their initial weights one after the other, so after torch::manual_seed(s) they are those that the same
/// layers get in Python. (Arguments of one call would be evaluated in any order.)
torch::nn::Sequential makeModel(const TrainSettings &settings, const ModelShape &shape);

}  // namespace sweepscope::train
