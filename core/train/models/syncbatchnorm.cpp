#include "train/models/syncbatchnorm.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr double momentum = 0.1;
constexpr double epsilon = 1e-5;

/// N x C x H x W to one number per channel and back.
constexpr std::int64_t everythingButChannels[] = {0, 2, 3};

torch::Tensor perChannel(const torch::Tensor &values)
{
    return values.view({1, -1, 1, 1});
}

struct Statistics {
    torch::Tensor mean;      ///< per channel, float32
    torch::Tensor variance;  ///< biased
    torch::Tensor count;     ///< values per channel
};

/// Over all ranks: their sums are added, so that a rank's count is its weight.
Statistics statisticsOf(const torch::Tensor &inputs, ProcessGroup &group)
{
    const torch::NoGradGuard noGrad;
    const torch::Tensor values = inputs.to(torch::kFloat32);
    const auto [variance, mean] = torch::var_mean(values, everythingButChannels, /*unbiased=*/false);
    const double count = static_cast<double>(inputs.numel()) / static_cast<double>(inputs.size(1));
    const torch::Tensor wideMean = mean.to(torch::kFloat64);
    torch::Tensor sums = torch::cat({torch::full({1}, count, wideMean.options()), wideMean * count,
                                     (variance.to(torch::kFloat64) + wideMean.square()) * count});
    group.sum(sums);
    const std::int64_t channels = inputs.size(1);
    const torch::Tensor whole = sums[0];
    const torch::Tensor average = sums.narrow(0, 1, channels) / whole;
    const torch::Tensor spread = (sums.narrow(0, 1 + channels, channels) / whole - average.square()).clamp_min(0);
    return {average.to(torch::kFloat32), spread.to(torch::kFloat32), whole.to(torch::kFloat32)};
}

class Normalised : public torch::autograd::Function<Normalised> {
public:
    static torch::Tensor forward(torch::autograd::AutogradContext *context, const torch::Tensor &inputs,
                                 const torch::Tensor &weight, const torch::Tensor &bias, const torch::Tensor &mean,
                                 const torch::Tensor &scale, const torch::Tensor &count, ProcessGroup *group)
    {
        const torch::Tensor standard = (inputs - perChannel(mean)) * perChannel(scale);
        context->save_for_backward({standard, weight, scale, count});
        context->saved_data["group"] = reinterpret_cast<std::int64_t>(group);
        return (standard * perChannel(weight) + perChannel(bias)).to(inputs.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext *context,
                                                   const torch::autograd::variable_list &gradients)
    {
        const auto saved = context->get_saved_variables();
        const torch::Tensor &standard = saved[0];
        const torch::Tensor &weight = saved[1];
        const torch::Tensor &scale = saved[2];
        const torch::Tensor gradient = gradients[0].to(standard.scalar_type());
        const torch::Tensor ofBias = gradient.sum(everythingButChannels);
        const torch::Tensor ofWeight = (gradient * standard).sum(everythingButChannels);
        torch::Tensor sums = torch::stack({ofBias, ofWeight});
        reinterpret_cast<ProcessGroup *>(context->saved_data["group"].toInt())->sum(sums);
        sums /= saved[3];
        const torch::Tensor ofInputs =
            (gradient - perChannel(sums[0]) - standard * perChannel(sums[1])) * perChannel(weight * scale);
        return {ofInputs.to(gradients[0].scalar_type()), ofWeight, ofBias, {}, {}, {}, {}};
    }
};

}  // namespace

void SyncBatchNorm2dImpl::reset()
{
    m_weight = register_parameter("weight", torch::ones({m_channels}));
    m_bias = register_parameter("bias", torch::zeros({m_channels}));
    m_mean = register_buffer("running_mean", torch::zeros({m_channels}));
    m_variance = register_buffer("running_var", torch::ones({m_channels}));
    m_batches = register_buffer("num_batches_tracked", torch::tensor(0, torch::kInt64));
}

torch::Tensor SyncBatchNorm2dImpl::forward(const torch::Tensor &inputs)
{
    if (is_training())
        m_batches += 1;
    if (is_training() && m_group != nullptr && m_group->size() > 1)
        return forwardOverRanks(inputs);
    return torch::batch_norm(inputs, m_weight, m_bias, m_mean, m_variance, is_training(), momentum, epsilon,
                             at::globalContext().userEnabledCuDNN());
}

torch::Tensor SyncBatchNorm2dImpl::forwardOverRanks(const torch::Tensor &inputs)
{
    const Statistics all = statisticsOf(inputs, *m_group);
    {
        const torch::NoGradGuard noGrad;
        m_mean.lerp_(all.mean, momentum);
        m_variance.lerp_(all.variance * (all.count / (all.count - 1)), momentum);
    }
    const torch::Tensor scale = (all.variance + epsilon).rsqrt();
    return Normalised::apply(inputs, m_weight, m_bias, all.mean, scale, all.count, m_group);
}

}  // namespace sweepscope::train
