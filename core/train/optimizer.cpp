#include "train/optimizer.h"

#include <cmath>
#include <map>
#include <torch/torch.h>
#include <torch/version.h>
#include <tuple>
#include <utility>

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
#define SWEEPSCOPE_FUSED_OPTIMIZERS
#endif

namespace sweepscope::train {

namespace {

using AnyDict = c10::impl::GenericDict;

constexpr double alpha = 0.99;  // PyTorch's, of RMSprop

AnyDict dictionaryOf(const c10::TypePtr &key)
{
    return AnyDict(key, c10::AnyType::get());
}

/// PyTorch's, where the settings name none.
double epsilonOf(const TrainSettings &settings)
{
    if (settings.epsilon > 0)
        return settings.epsilon;
    return settings.optimizer == "adagrad" ? 1e-10 : 1e-8;
}

/// Biases and the weights of normalisation layers are vectors.
double decayOf(const TrainSettings &settings, const torch::Tensor &parameter)
{
    return settings.decayNormAndBias || parameter.dim() > 1 ? settings.weightDecay : 0;
}

}  // namespace

Optimizer::Kind Optimizer::kindOf(const std::string &name)
{
    static const std::map<std::string, Kind> kinds{{"sgd", Kind::Sgd},
                                                   {"adam", Kind::Adam},
                                                   {"adamw", Kind::AdamW},
                                                   {"rmsprop", Kind::RmsProp},
                                                   {"adagrad", Kind::Adagrad}};
    return kinds.at(name);
}

Optimizer::Optimizer(const TrainSettings &settings, std::vector<NamedTensor> parameters)
    : m_kind(kindOf(settings.optimizer)),
      m_learningRate(settings.learningRate),
      m_momentum(settings.momentum),
      m_nesterov(settings.nesterov),
      m_beta1(settings.beta1),
      m_beta2(settings.beta2),
      m_epsilon(epsilonOf(settings))
{
    std::map<std::tuple<std::string, c10::ScalarType, double>, std::size_t> groups;
    for (NamedTensor &parameter : parameters) {
        const torch::Tensor &tensor = parameter.tensor;
        const double decay = decayOf(settings, tensor);
        const std::size_t group =
            groups.try_emplace({tensor.device().str(), tensor.scalar_type(), decay}, groups.size()).first->second;
        m_parameters.push_back({.named = std::move(parameter), .weightDecay = decay, .group = group});
    }
    m_groups = groups.size();
}

bool Optimizer::isFused()
{
#ifdef SWEEPSCOPE_FUSED_OPTIMIZERS
    return true;
#else
    return false;
#endif
}

std::vector<const char *> Optimizer::stateNames() const
{
    switch (m_kind) {
    case Kind::Sgd:
        return m_momentum > 0 ? std::vector<const char *>{"momentum_buffer"} : std::vector<const char *>{};
    case Kind::Adam:
    case Kind::AdamW:
        return {"exp_avg", "exp_avg_sq"};
    case Kind::RmsProp:
        return m_momentum > 0 ? std::vector<const char *>{"square_avg", "momentum_buffer"}
                              : std::vector<const char *>{"square_avg"};
    case Kind::Adagrad:
        return {"sum"};
    }
    return {};
}

void Optimizer::makeState(Parameter &parameter) const
{
    const torch::Tensor &tensor = parameter.named.tensor;
    if (!parameter.step.defined())
        parameter.step = torch::zeros({}, tensor.options().dtype(torch::kFloat32).requires_grad(false));
    for (std::size_t i = 0; i < stateNames().size(); ++i) {
        if (!parameter.state[i].defined())
            parameter.state[i] = torch::zeros_like(tensor);
    }
}

bool Optimizer::canSkip() const
{
    return isFused() && m_kind != Kind::RmsProp
           && (m_kind != Kind::Adagrad || (!m_parameters.empty() && m_parameters.front().named.tensor.is_cpu()));
}

void Optimizer::step(double learningRate, const torch::Tensor &isSkipped)
{
    const torch::NoGradGuard noGrad;
    m_learningRate = learningRate;
    std::vector<std::vector<Parameter *>> groups(m_groups);
    for (Parameter &parameter : m_parameters) {
        if (!parameter.named.tensor.grad().defined())
            continue;
        makeState(parameter);
        groups[parameter.group].push_back(&parameter);
    }
    for (const std::vector<Parameter *> &group : groups) {
        if (group.empty() || stepFused(group, learningRate, isSkipped))
            continue;
        for (Parameter *parameter : group)
            stepPlain(*parameter, learningRate);
    }
}

#ifdef SWEEPSCOPE_FUSED_OPTIMIZERS

bool Optimizer::stepFused(const std::vector<Parameter *> &parameters, double learningRate,
                          const torch::Tensor &isSkipped) const
{
    std::vector<torch::Tensor> weights;
    std::vector<torch::Tensor> gradients;
    std::vector<torch::Tensor> steps;
    State state;
    for (const Parameter *parameter : parameters) {
        weights.push_back(parameter->named.tensor);
        gradients.push_back(parameter->named.tensor.grad());
        steps.push_back(parameter->step);
        for (std::size_t i = 0; i < stateNames().size(); ++i)
            state[i].push_back(parameter->state[i]);
    }
    std::optional<torch::Tensor> skip;
    at::_foreach_add_(steps, 1);
    if (isSkipped.defined()) {
        skip = isSkipped.to(weights.front().device(), torch::kFloat32, /*non_blocking=*/true);
        at::_foreach_sub_(steps, std::vector<torch::Tensor>(steps.size(), *skip));
    }
    const double decay = parameters.front()->weightDecay;
    // A momentum that is 0 at first is the gradient after the first step, as in Python, which starts with none.
    if (m_kind == Kind::Sgd)
        at::_fused_sgd_(weights, gradients, state[0], decay, m_momentum, learningRate, 0, m_nesterov, false, false, {},
                        skip);
    else if (m_kind == Kind::Adam)
        at::_fused_adam_(weights, gradients, state[0], state[1], {}, steps, learningRate, m_beta1, m_beta2, decay,
                         m_epsilon, false, false, {}, skip);
    else if (m_kind == Kind::AdamW)
        at::_fused_adamw_(weights, gradients, state[0], state[1], {}, steps, learningRate, m_beta1, m_beta2, decay,
                          m_epsilon, false, false, {}, skip);
    else if (m_kind == Kind::Adagrad && weights.front().is_cpu())
        at::_fused_adagrad_(weights, gradients, state[0], steps, learningRate, 0, decay, m_epsilon, false, {}, skip);
    else
        stepTogether(weights, decay > 0 ? at::_foreach_add(gradients, weights, decay) : gradients, state, learningRate);
    return true;
}

void Optimizer::stepTogether(const std::vector<torch::Tensor> &weights, const std::vector<torch::Tensor> &gradients,
                             const State &state, double learningRate) const
{
    const bool isRmsProp = m_kind == Kind::RmsProp;
    if (isRmsProp)
        at::_foreach_mul_(state[0], alpha);
    at::_foreach_addcmul_(state[0], gradients, gradients, isRmsProp ? 1 - alpha : 1);
    const std::vector<torch::Tensor> deviations = at::_foreach_sqrt(state[0]);
    at::_foreach_add_(deviations, m_epsilon);
    if (!isRmsProp || m_momentum == 0) {
        at::_foreach_addcdiv_(weights, gradients, deviations, -learningRate);
        return;
    }
    at::_foreach_mul_(state[1], m_momentum);
    at::_foreach_addcdiv_(state[1], gradients, deviations, 1);
    at::_foreach_add_(weights, state[1], -learningRate);
}

#else

bool Optimizer::stepFused(const std::vector<Parameter *> &, double, const torch::Tensor &) const
{
    return false;
}

#endif

void Optimizer::stepPlain(Parameter &parameter, double learningRate) const
{
    torch::Tensor weights = parameter.named.tensor.detach();
    torch::Tensor gradient = parameter.named.tensor.grad();
    torch::Tensor &first = parameter.state[0];
    torch::Tensor &second = parameter.state[1];
    parameter.step.add_(1);
    if (m_kind == Kind::AdamW)
        weights.mul_(1 - learningRate * parameter.weightDecay);
    else if (parameter.weightDecay > 0)
        gradient = gradient.add(weights, parameter.weightDecay);
    switch (m_kind) {
    case Kind::Sgd:
        if (m_momentum > 0) {
            first.mul_(m_momentum).add_(gradient);
            gradient = m_nesterov ? gradient.add(first, m_momentum) : first;
        }
        weights.add_(gradient, -learningRate);
        break;
    case Kind::Adam:
    case Kind::AdamW: {
        const double steps = parameter.step.item<float>();
        first.mul_(m_beta1).add_(gradient, 1 - m_beta1);
        second.mul_(m_beta2).addcmul_(gradient, gradient, 1 - m_beta2);
        const torch::Tensor deviation = (second.sqrt() / std::sqrt(1 - std::pow(m_beta2, steps))).add_(m_epsilon);
        weights.addcdiv_(first, deviation, -learningRate / (1 - std::pow(m_beta1, steps)));
        break;
    }
    case Kind::RmsProp: {
        first.mul_(alpha).addcmul_(gradient, gradient, 1 - alpha);
        const torch::Tensor deviation = first.sqrt().add_(m_epsilon);
        if (m_momentum > 0) {
            second.mul_(m_momentum).addcdiv_(gradient, deviation);
            weights.add_(second, -learningRate);
        } else {
            weights.addcdiv_(gradient, deviation, -learningRate);
        }
        break;
    }
    case Kind::Adagrad:
        first.addcmul_(gradient, gradient, 1);
        weights.addcdiv_(gradient, first.sqrt().add_(m_epsilon), -learningRate);
        break;
    }
}

c10::IValue Optimizer::stateDict() const
{
    AnyDict states = dictionaryOf(c10::IntType::get());
    c10::impl::GenericList groups(c10::AnyType::get());
    // Python has one group per weight decay.
    std::map<double, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        const Parameter &parameter = m_parameters[i];
        members[-parameter.weightDecay].push_back(i);
        if (!parameter.step.defined())
            continue;
        AnyDict state = dictionaryOf(c10::StringType::get());
        if (m_kind != Kind::Sgd)
            state.insert("step", parameter.step);
        const std::vector<const char *> names = stateNames();
        for (std::size_t k = 0; k < names.size(); ++k)
            state.insert(names[k], parameter.state[k]);
        states.insert(static_cast<std::int64_t>(i), state);
    }
    // Python numbers parameters group by group.
    AnyDict numbered = dictionaryOf(c10::IntType::get());
    std::int64_t next = 0;
    for (const auto &[decay, indices] : members) {
        AnyDict group = dictionaryOf(c10::StringType::get());
        c10::impl::GenericList numbers(c10::AnyType::get());
        c10::impl::GenericList names(c10::AnyType::get());
        for (const std::size_t index : indices) {
            if (const auto state = states.find(static_cast<std::int64_t>(index)); state != states.end())
                numbered.insert(next, state->value());
            numbers.push_back(next++);
            names.push_back(m_parameters[index].named.name);
        }
        group.insert("lr", m_learningRate);
        group.insert("weight_decay", -decay + 0.0);
        if (m_kind == Kind::Sgd) {
            group.insert("momentum", m_momentum);
            group.insert("nesterov", m_nesterov);
            group.insert("dampening", 0.0);
        } else {
            group.insert("eps", m_epsilon);
        }
        if (m_kind == Kind::Adam || m_kind == Kind::AdamW) {
            group.insert("betas", c10::ivalue::Tuple::create({m_beta1, m_beta2}));
            group.insert("amsgrad", false);
        } else if (m_kind == Kind::RmsProp) {
            group.insert("alpha", alpha);
            group.insert("momentum", m_momentum);
            group.insert("centered", false);
        } else if (m_kind == Kind::Adagrad) {
            group.insert("lr_decay", 0.0);
            group.insert("initial_accumulator_value", 0.0);
        }
        group.insert("maximize", false);
        group.insert("params", numbers);
        group.insert("param_names", names);
        groups.push_back(group);
    }
    AnyDict all = dictionaryOf(c10::StringType::get());
    all.insert("state", numbered);
    all.insert("param_groups", groups);
    return all;
}

void Optimizer::loadStateDict(const c10::IValue &saved)
{
    const torch::NoGradGuard noGrad;
    const AnyDict all = saved.toGenericDict();
    const AnyDict states = all.at("state").toGenericDict();
    std::map<std::string, AnyDict> byName;
    for (const c10::IValue &value : all.at("param_groups").toListRef()) {
        const AnyDict group = value.toGenericDict();
        const auto names = group.at("param_names").toListRef();
        const auto numbers = group.at("params").toListRef();
        TORCH_CHECK(names.size() == numbers.size(), "the optimizer's parameters have no names");
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (const auto state = states.find(numbers[i]); state != states.end())
                byName.emplace(names[i].toStringRef(), state->value().toGenericDict());
        }
    }
    for (Parameter &parameter : m_parameters) {
        const auto found = byName.find(parameter.named.name);
        if (found == byName.end())
            continue;
        makeState(parameter);
        const AnyDict &state = found->second;
        const auto take = [&state](const char *name, torch::Tensor &to) {
            const auto value = state.find(name);
            if (value == state.end())
                return;  // a momentum that the trial did not have
            TORCH_CHECK(value->value().toTensor().sizes() == to.sizes(), "the optimizer's ", name,
                        " has a different shape than its parameter");
            to.copy_(value->value().toTensor());
        };
        take("step", parameter.step);
        const std::vector<const char *> names = stateNames();
        for (std::size_t i = 0; i < names.size(); ++i)
            take(names[i], parameter.state[i]);
    }
}

}  // namespace sweepscope::train
