#pragma once

#include "train/network.h"
#include "train/trainsettings.h"

#include <ATen/core/ivalue.h>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::train {

/// Updates parameters by their gradients with the formulas of torch.optim. Where LibTorch has PyTorch's fused kernels
/// (2.4 and newer: sgd, adam and adamw, on the CPU adagrad, too) all parameters are updated by one of them, the others
/// by a few operations on all at once, before 2.4 one by one; operation for operation as in Python.
class Optimizer {
public:
    Optimizer(const TrainSettings &settings, std::vector<NamedTensor> parameters);

    /// Parameters without a gradient are passed over. `isSkipped` is one number on any device, which the host need not
    /// know: if it is 1, nothing changes. Only where canSkip().
    void step(double learningRate, const torch::Tensor &isSkipped = {});
    bool canSkip() const;

    /// As Python's state_dict(): {"state": {0: {"exp_avg": …}, …}, "param_groups": […]}. The tensors are those that the
    /// next step changes.
    c10::IValue stateDict() const;
    /// Takes the state of the parameters that have the same name; settings stay. Throws c10::Error if a state does not
    /// fit its parameter.
    void loadStateDict(const c10::IValue &state);

    static bool isFused();

private:
    enum class Kind { Sgd, Adam, AdamW, RmsProp, Adagrad };
    static constexpr std::size_t mostTensors = 2;

    struct Parameter {
        NamedTensor named;
        double weightDecay = 0;
        std::size_t group = 0;  ///< those of one device, type and weight decay are updated together
        torch::Tensor step{};   ///< number of updates, as Python keeps it: one float32
        std::array<torch::Tensor, mostTensors> state{};
    };
    static Kind kindOf(const std::string &name);
    std::vector<const char *> stateNames() const;
    void makeState(Parameter &parameter) const;
    bool stepFused(const std::vector<Parameter *> &parameters, double learningRate,
                   const torch::Tensor &isSkipped) const;
    /// The same operations on all parameters at once.
    using State = std::array<std::vector<torch::Tensor>, mostTensors>;
    void stepTogether(const std::vector<torch::Tensor> &weights, const std::vector<torch::Tensor> &gradients,
                      const State &state, double learningRate) const;
    void stepPlain(Parameter &parameter, double learningRate) const;

    Kind m_kind;
    double m_learningRate;  ///< of the last step
    double m_momentum;
    bool m_nesterov;
    double m_beta1;
    double m_beta2;
    double m_epsilon;
    std::vector<Parameter> m_parameters;
    std::size_t m_groups = 0;
};

}  // namespace sweepscope::train
