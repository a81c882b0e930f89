#pragma once

#include "train/network.h"

#include <vector>

namespace sweepscope::train {

/// The exponential moving average of a model's weights, as torch.optim.swa_utils.AveragedModel with
/// get_ema_multi_avg_fn(decay): the first update takes the weights, each later one moves by 1 - decay towards them.
/// Buffers are not averaged.
class WeightAverage {
public:
    /// decay 0: there is no average.
    WeightAverage(double decay, std::vector<NamedTensor> weights);

    bool isOn() const { return m_decay > 0; }
    void update();
    /// Weights and average change places, if there is one.
    void swap();

    /// Empty before the first update.
    std::vector<NamedTensor> average() const;
    void setAverage(const std::vector<NamedTensor> &average);

private:
    double m_decay;
    std::vector<NamedTensor> m_weights;
    std::vector<torch::Tensor> m_average;
};

/// The average is in the weights' place while this lives.
class AveragedWeights {
public:
    AveragedWeights(WeightAverage &average, Network &network) : m_average(average), m_network(network) { swap(); }
    ~AveragedWeights() { swap(); }
    AveragedWeights(const AveragedWeights &) = delete;
    AveragedWeights &operator=(const AveragedWeights &) = delete;

private:
    void swap()
    {
        m_average.swap();
        if (m_average.isOn())
            m_network.weightsChanged();
    }

    WeightAverage &m_average;
    Network &m_network;
};

}  // namespace sweepscope::train
