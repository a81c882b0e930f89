#pragma once

#include "train/parallel/processgroup.h"

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

namespace sweepscope::train {

/// torch.nn.BatchNorm2d with PyTorch's defaults; with a `group`, torch.nn.SyncBatchNorm over its ranks: mean and variance
/// in training are those of all samples, and gradients follow. Collective then, forward and backward; ranks may have
/// batches of different sizes. LibTorch has no such module, and its own BatchNorm2d cannot be derived from.
class SyncBatchNorm2dImpl : public torch::nn::Cloneable<SyncBatchNorm2dImpl> {
public:
    SyncBatchNorm2dImpl(std::int64_t channels, ProcessGroup *group) : m_channels(channels), m_group(group)
    {
        SyncBatchNorm2dImpl::reset();
    }

    void reset() override;
    torch::Tensor forward(const torch::Tensor &inputs);

private:
    torch::Tensor forwardOverRanks(const torch::Tensor &inputs);

    std::int64_t m_channels;
    ProcessGroup *m_group;
    torch::Tensor m_weight;
    torch::Tensor m_bias;
    torch::Tensor m_mean;
    torch::Tensor m_variance;
    torch::Tensor m_batches;
};
TORCH_MODULE(SyncBatchNorm2d);

}  // namespace sweepscope::train
