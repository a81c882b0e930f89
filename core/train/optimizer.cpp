#include "train/optimizer.h"

#include <sstream>
#include <string>
#include <torch/torch.h>
#include <type_traits>

namespace sweepscope::train {

namespace {

/// The key of a parameter's state: text in LibTorch 1.13, an address in newer ones.
template <typename Key>
Key keyOf(const torch::Tensor &parameter)
{
    if constexpr (std::is_same_v<Key, std::string>) {
        std::ostringstream text;
        text << parameter.unsafeGetTensorImpl();
        return text.str();
    } else {
        return parameter.unsafeGetTensorImpl();
    }
}

void move(torch::Tensor &tensor, torch::Device device)
{
    if (tensor.defined())
        tensor = tensor.to(device);
}

void move(torch::optim::OptimizerParamState &state, torch::Device device)
{
    using namespace torch::optim;
    if (auto *sgd = dynamic_cast<SGDParamState *>(&state)) {
        move(sgd->momentum_buffer(), device);
    } else if (auto *adam = dynamic_cast<AdamParamState *>(&state)) {
        move(adam->exp_avg(), device);
        move(adam->exp_avg_sq(), device);
        move(adam->max_exp_avg_sq(), device);
    } else if (auto *adamw = dynamic_cast<AdamWParamState *>(&state)) {
        move(adamw->exp_avg(), device);
        move(adamw->exp_avg_sq(), device);
        move(adamw->max_exp_avg_sq(), device);
    } else if (auto *rmsprop = dynamic_cast<RMSpropParamState *>(&state)) {
        move(rmsprop->square_avg(), device);
        move(rmsprop->momentum_buffer(), device);
        move(rmsprop->grad_avg(), device);
    } else if (auto *adagrad = dynamic_cast<AdagradParamState *>(&state)) {
        move(adagrad->sum(), device);
    }
}

}  // namespace

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

void moveStateToParameters(torch::optim::Optimizer &optimizer)
{
    auto &states = optimizer.state();
    using Key = typename std::decay_t<decltype(states)>::key_type;
    for (const torch::optim::OptimizerParamGroup &group : optimizer.param_groups()) {
        for (const torch::Tensor &parameter : group.params()) {
            const auto found = states.find(keyOf<Key>(parameter));
            if (found != states.end())
                move(*found->second, parameter.device());
        }
    }
}

// In float32 whatever the gradients are: squares of halves soon are infinite.
double clipGradients(const std::vector<torch::Tensor> &parameters, double largest)
{
    const torch::NoGradGuard noGrad;
    std::vector<torch::Tensor> norms;
    for (const torch::Tensor &parameter : parameters) {
        if (parameter.grad().defined())
            norms.push_back(torch::norm(parameter.grad().to(torch::kFloat32), 2).to(parameters.front().device()));
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
