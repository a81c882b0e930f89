#include "train/models/layerednetwork.h"

#include "sweep/stages.h"
#include "train/models/recomputed.h"
#include "train/parallel/distributeddataparallel.h"

#include <torch/torch.h>

namespace sweepscope::train {

LayeredNetwork::LayeredNetwork(torch::nn::Sequential layers, const std::vector<torch::Device> &devices, Options options)
    : m_layers(std::move(layers)), m_devices(devices), m_options(options)
{
    std::vector<std::int64_t> weights;
    for (const auto &child : m_layers->children()) {
        std::int64_t count = 0;
        for (const torch::Tensor &parameter : child->parameters())
            count += parameter.numel();
        weights.push_back(count);
    }
    m_stages = sweep::assignStages(weights, m_devices.size());
    const auto children = m_layers->children();
    for (std::size_t i = 0; i < children.size(); ++i)
        children[i]->to(m_devices[m_stages[i]]);
}

torch::Tensor LayeredNetwork::forward(const torch::Tensor &inputs)
{
    if (m_devices.size() == 1 && !m_options.recomputes)
        return m_layers->forward(inputs);
    torch::Tensor values = inputs;
    std::size_t index = 0;
    for (torch::nn::AnyModule &layer : *m_layers) {
        const torch::Device device = m_devices[m_stages[index++]];
        values = values.to(device, /*non_blocking=*/true);
        const bool isBlock = !layer.ptr()->children().empty();
        values = m_options.recomputes && isBlock ? forwardRecomputed(layer, values, device, m_options.bf16)
                                                 : layer.forward(values);
    }
    return values;
}

std::vector<NamedTensor> LayeredNetwork::parameters() const
{
    return namedParameters(*m_layers);
}

std::vector<NamedTensor> LayeredNetwork::buffers() const
{
    return namedBuffers(*m_layers);
}

void LayeredNetwork::train(bool on)
{
    m_layers->train(on);
}

}  // namespace sweepscope::train
