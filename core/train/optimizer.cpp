#include "train/optimizer.h"

#include <torch/torch.h>

namespace sweepscope::train {

std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const TrainSettings &settings,
                                                       std::vector<torch::Tensor> parameters)
{
    using namespace torch::optim;
    if (settings.optimizer == "adam")
        return std::make_unique<Adam>(std::move(parameters),
                                      AdamOptions(settings.learningRate).weight_decay(settings.weightDecay));
    if (settings.optimizer == "adamw")
        return std::make_unique<AdamW>(std::move(parameters),
                                       AdamWOptions(settings.learningRate).weight_decay(settings.weightDecay));
    return std::make_unique<SGD>(
        std::move(parameters),
        SGDOptions(settings.learningRate).momentum(settings.momentum).weight_decay(settings.weightDecay));
}

}  // namespace sweepscope::train
