#pragma once

#include "train/network.h"

#include <torch/nn/modules/container/sequential.h>
#include <vector>

namespace sweepscope::train {

/// Layers one after the other, on one device or in consecutive stages on several: stage boundaries lie where they
/// divide the parameters most evenly. The batch moves from device to device.
class LayeredNetwork : public Network {
public:
    struct Options {
        bool recomputes = false;  ///< layers that consist of others keep no activations: see recomputed.h
        bool bf16 = false;        ///< forward() is called under autocast
    };

    LayeredNetwork(torch::nn::Sequential layers, const std::vector<torch::Device> &devices, Options options);
    LayeredNetwork(torch::nn::Sequential layers, const std::vector<torch::Device> &devices)
        : LayeredNetwork(std::move(layers), devices, Options{})
    {}

    torch::Tensor forward(const torch::Tensor &inputs) override;
    std::vector<NamedTensor> parameters() const override;
    std::vector<NamedTensor> buffers() const override;
    void train(bool on) override;

    /// The stage of each layer.
    const std::vector<std::size_t> &stages() const { return m_stages; }

private:
    torch::nn::Sequential m_layers;
    std::vector<torch::Device> m_devices;
    std::vector<std::size_t> m_stages;
    Options m_options;
};

}  // namespace sweepscope::train
