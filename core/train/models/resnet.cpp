#include "train/models/resnet.h"

#include "train/models/syncbatchnorm.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

torch::nn::Conv2d convolution(std::int64_t inputs, std::int64_t outputs, std::int64_t size, std::int64_t stride)
{
    return torch::nn::Conv2d(
        torch::nn::Conv2dOptions(inputs, outputs, size).stride(stride).padding(size / 2).bias(false));
}

class ResidualBlockImpl : public torch::nn::Cloneable<ResidualBlockImpl> {
public:
    ResidualBlockImpl(std::int64_t inputs, std::int64_t outputs, std::int64_t stride, ProcessGroup *group)
        : m_inputs(inputs), m_outputs(outputs), m_stride(stride), m_group(group)
    {
        ResidualBlockImpl::reset();
    }

    void reset() override
    {
        m_first = register_module("conv1", convolution(m_inputs, m_outputs, 3, m_stride));
        m_firstNorm = register_module("bn1", SyncBatchNorm2d(m_outputs, m_group));
        m_second = register_module("conv2", convolution(m_outputs, m_outputs, 3, 1));
        m_secondNorm = register_module("bn2", SyncBatchNorm2d(m_outputs, m_group));
        m_shortcut = register_module("shortcut", torch::nn::Sequential());
        if (m_inputs != m_outputs || m_stride != 1) {
            m_shortcut->push_back(convolution(m_inputs, m_outputs, 1, m_stride));
            m_shortcut->push_back(SyncBatchNorm2d(m_outputs, m_group));
        }
    }

    torch::Tensor forward(const torch::Tensor &inputs)
    {
        const torch::Tensor inner = m_firstNorm->forward(m_first->forward(inputs)).relu();
        const torch::Tensor outer = m_secondNorm->forward(m_second->forward(inner));
        return (outer + (m_shortcut->is_empty() ? inputs : m_shortcut->forward(inputs))).relu();
    }

private:
    std::int64_t m_inputs;
    std::int64_t m_outputs;
    std::int64_t m_stride;
    ProcessGroup *m_group;
    torch::nn::Conv2d m_first{nullptr};
    SyncBatchNorm2d m_firstNorm{nullptr};
    torch::nn::Conv2d m_second{nullptr};
    SyncBatchNorm2d m_secondNorm{nullptr};
    torch::nn::Sequential m_shortcut{nullptr};
};
TORCH_MODULE(ResidualBlock);

}  // namespace

torch::nn::Sequential makeResnet(std::int64_t channels, std::int64_t blocks, std::int64_t classes, ProcessGroup *group)
{
    torch::nn::Sequential model;
    model->push_back(convolution(channels, 16, 3, 1));
    model->push_back(SyncBatchNorm2d(16, group));
    model->push_back(torch::nn::ReLU());
    std::int64_t inputs = 16;
    for (const std::int64_t outputs : {16, 32, 64}) {
        for (std::int64_t i = 0; i < blocks; ++i) {
            model->push_back(ResidualBlock(inputs, outputs, i == 0 && outputs > 16 ? 2 : 1, group));
            inputs = outputs;
        }
    }
    model->push_back(torch::nn::AdaptiveAvgPool2d(1));
    model->push_back(torch::nn::Flatten());
    model->push_back(torch::nn::Linear(inputs, classes));
    return model;
}

}  // namespace sweepscope::train
