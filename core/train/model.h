#pragma once

#include "train/data/dataset.h"
#include "train/network.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <memory>
#include <torch/nn/modules/container/sequential.h>
#include <vector>

namespace sweepscope::train {

/// What goes in and comes out, for one sample.
struct ModelShape {
    SampleKind kind = SampleKind::Image;
    std::int64_t channels = 1;  ///< Image
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t columns = 0;  ///< Features
    std::int64_t context = 0;  ///< Tokens
    std::int64_t vocabulary = 0;
    std::int64_t outputs = 0;

    std::int64_t features() const { return kind == SampleKind::Image ? channels * height * width : columns; }
};

ModelShape shapeOf(const TrialData &data);

/// BadInput when settings.model cannot take such samples: a cnn of tables, a transformer of images.
Expected<void> checkModel(const TrainSettings &settings, const ModelShape &shape);

/// settings.model:
///   linear       flatten, linear
///   mlp          flatten, `layers` times (linear to `hidden`, ReLU, dropout), linear
///   cnn          conv 3x3 to 16, ReLU, max-pool 2, conv 3x3 to 32, ReLU, max-pool 2, flatten, linear to `hidden`,
///   ReLU,
///                dropout, linear                              (images of at least 4 x 4)
///   resnet       see resnet.h
///   transformer  see transformer.h
/// Layers draw their initial weights one after the other, so after torch::manual_seed(s) they are those that the same
/// layers get in Python. (Arguments of one call would be evaluated in any order.)
torch::nn::Sequential makeLayers(const TrainSettings &settings, const ModelShape &shape, ProcessGroup *group = nullptr);

/// The model of settings on `devices` (at least one): replicas for parallel = data_parallel, stages for model and
/// hybrid, else whole on the first. A model other than torchscript is initialised after torch::manual_seed(seed).
/// Throws c10::Error for a TorchScript file that cannot be read or has nothing to train.
std::unique_ptr<Network> makeNetwork(const TrainSettings &settings, const ModelShape &shape,
                                     const std::vector<torch::Device> &devices, ProcessGroup *group = nullptr);

}  // namespace sweepscope::train
