#include "train/models/replicatednetwork.h"

#include "train/autocast.h"

#include <ATen/ThreadLocalState.h>
#include <future>
#include <torch/torch.h>

namespace sweepscope::train {

ReplicatedNetwork::ReplicatedNetwork(std::vector<std::unique_ptr<Network>> replicas,
                                     const std::vector<torch::Device> &devices, bool bf16)
    : m_replicas(std::move(replicas)), m_devices(devices), m_bf16(bf16)
{
    weightsChanged();
}

torch::Tensor ReplicatedNetwork::forward(const torch::Tensor &inputs)
{
    if (!m_training)
        return m_replicas.front()->forward(inputs);
    copyBuffers();
    const auto chunks = inputs.chunk(static_cast<std::int64_t>(m_replicas.size()));
    if (m_devices.front().is_cpu()) {
        // They share one generator of random numbers: threads would draw from it in another order each time.
        std::vector<torch::Tensor> parts;
        for (std::size_t i = 0; i < chunks.size(); ++i)
            parts.push_back(m_replicas[i]->forward(chunks[i]));
        return torch::cat(parts);
    }
    std::vector<std::future<torch::Tensor>> scores;
    const at::ThreadLocalState state;  // gradient mode
    for (std::size_t i = 1; i < chunks.size(); ++i) {
        scores.push_back(std::async(std::launch::async, [this, &state, &chunks, i] {
            const at::ThreadLocalStateGuard guard(state);
            // Versions of LibTorch differ in what of autocast that state includes.
            const Bf16Autocast autocast(m_bf16, m_devices[i]);
            return m_replicas[i]->forward(chunks[i].to(m_devices[i]));
        }));
    }
    std::vector<torch::Tensor> gathered{m_replicas.front()->forward(chunks.front().to(m_devices.front()))};
    for (auto &part : scores)
        gathered.push_back(part.get().to(m_devices.front()));
    return torch::cat(gathered);
}

void ReplicatedNetwork::train(bool on)
{
    m_training = on;
    for (const auto &replica : m_replicas)
        replica->train(on);
}

void ReplicatedNetwork::copyBuffers()
{
    const torch::NoGradGuard noGrad;
    const auto master = buffers();
    for (std::size_t r = 1; r < m_replicas.size(); ++r) {
        auto copies = m_replicas[r]->buffers();
        for (std::size_t i = 0; i < copies.size(); ++i)
            copies[i].tensor.copy_(master[i].tensor);
    }
}

void ReplicatedNetwork::collectGradients()
{
    const torch::NoGradGuard noGrad;
    auto master = parameters();
    for (std::size_t r = 1; r < m_replicas.size(); ++r) {
        auto copies = m_replicas[r]->parameters();
        for (std::size_t i = 0; i < copies.size(); ++i) {
            torch::Tensor &gradient = copies[i].tensor.mutable_grad();
            if (!gradient.defined())
                continue;
            torch::Tensor &sum = master[i].tensor.mutable_grad();
            if (sum.defined())
                sum.add_(gradient.to(sum.device()));
            else
                sum = gradient.to(master[i].tensor.device());
            gradient.reset();
        }
    }
}

void ReplicatedNetwork::weightsChanged()
{
    const torch::NoGradGuard noGrad;
    const auto master = parameters();
    for (std::size_t r = 1; r < m_replicas.size(); ++r) {
        auto copies = m_replicas[r]->parameters();
        for (std::size_t i = 0; i < copies.size(); ++i) {
            if (copies[i].tensor.device() != master[i].tensor.device())
                copies[i].tensor.copy_(master[i].tensor);
            else if (!copies[i].tensor.is_alias_of(master[i].tensor))
                copies[i].tensor.set_data(master[i].tensor.detach());
        }
    }
}

}  // namespace sweepscope::train
