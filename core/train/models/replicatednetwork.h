#pragma once

#include "train/network.h"

#include <memory>
#include <vector>

namespace sweepscope::train {

/// One process, several devices, as torch.nn.DataParallel: a batch is cut into equal chunks, each replica computes one
/// on its own thread (on the CPU one after the other), and the scores come together on the first device, where the
/// loss is that of the whole batch. The first replica's parameters are the model's; on the CPU the others share their
/// memory. Running statistics are the first replica's. In evaluation the first replica computes alone.
class ReplicatedNetwork : public Network {
public:
    /// `bf16`: forward() is called under autocast.
    ReplicatedNetwork(std::vector<std::unique_ptr<Network>> replicas, const std::vector<torch::Device> &devices,
                      bool bf16 = false);

    torch::Tensor forward(const torch::Tensor &inputs) override;
    std::vector<NamedTensor> parameters() const override { return m_replicas.front()->parameters(); }
    std::vector<NamedTensor> buffers() const override { return m_replicas.front()->buffers(); }
    void train(bool on) override;
    void collectGradients() override;
    void weightsChanged() override;

private:
    void copyBuffers();

    std::vector<std::unique_ptr<Network>> m_replicas;
    std::vector<torch::Device> m_devices;
    bool m_bf16;
    bool m_training = true;
};

}  // namespace sweepscope::train
