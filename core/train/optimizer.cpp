#include "train/optimizer.h"

#include <torch/torch.h>

namespace sweepscope::train {

std::unique_ptr<torch::optim::Optimizer> makeOptimizer(const TrainSettings &settings,
                                                       std::vector<torch::Tensor> parameters)
{
    using namespace torch::optim;
    const double rate = settings.learningRate;
    const double decay = settings.weightDecay;
    if (settings.optimizer == "adam")
        return std::make_unique<Adam>(std::move(parameters), AdamOptions(rate).weight_decay(decay));
    if (settings.optimizer == "adamw")
        return std::make_unique<AdamW>(std::move(parameters), AdamWOptions(rate).weight_decay(decay));
    if (settings.optimizer == "rmsprop")
        return std::make_unique<RMSprop>(std::move(parameters),
                                         RMSpropOptions(rate).momentum(settings.momentum).weight_decay(decay));
    if (settings.optimizer == "adagrad")
        return std::make_unique<Adagrad>(std::move(parameters), AdagradOptions(rate).weight_decay(decay));
    return std::make_unique<SGD>(std::move(parameters),
                                 SGDOptions(rate).momentum(settings.momentum).weight_decay(decay));
}

void setLearningRate(torch::optim::Optimizer &optimizer, double rate)
{
    for (torch::optim::OptimizerParamGroup &group : optimizer.param_groups())
        group.options().set_lr(rate);
}

double clipGradients(const std::vector<torch::Tensor> &parameters, double largest)
{
    const torch::NoGradGuard noGrad;
    std::vector<torch::Tensor> norms;
    for (const torch::Tensor &parameter : parameters) {
        if (parameter.grad().defined())
            norms.push_back(torch::norm(parameter.grad(), 2).to(parameters.front().device()));
    }
    if (norms.empty())
        return 0;
    const torch::Tensor total = torch::norm(torch::stack(norms), 2);
    const torch::Tensor factor = (largest / (total + 1e-6)).clamp_max(1.0);
    for (const torch::Tensor &parameter : parameters) {
        if (parameter.grad().defined())
            parameter.mutable_grad().mul_(factor.to(parameter.device()));
    }
    return total.item<double>();
}

}  // namespace sweepscope::train
