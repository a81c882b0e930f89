#include "train/weightaverage.h"

#include <torch/torch.h>

namespace sweepscope::train {

WeightAverage::WeightAverage(double decay, std::vector<NamedTensor> weights)
    : m_decay(decay), m_weights(std::move(weights))
{}

void WeightAverage::update()
{
    if (!isOn())
        return;
    const torch::NoGradGuard noGrad;
    const std::vector<torch::Tensor> weights = tensorsOf(m_weights);
    if (m_average.empty()) {
        for (const torch::Tensor &tensor : weights)
            m_average.push_back(tensor.detach().clone());
        return;
    }
    at::_foreach_mul_(m_average, m_decay);
    at::_foreach_add_(m_average, weights, 1 - m_decay);
}

void WeightAverage::swap()
{
    const torch::NoGradGuard noGrad;
    for (std::size_t i = 0; i < m_average.size(); ++i) {
        torch::Tensor weights = m_weights[i].tensor;
        const torch::Tensor before = weights.clone();
        weights.copy_(m_average[i]);
        m_average[i].copy_(before);
    }
}

std::vector<NamedTensor> WeightAverage::average() const
{
    std::vector<NamedTensor> named;
    for (std::size_t i = 0; i < m_average.size(); ++i)
        named.push_back({m_weights[i].name, m_average[i]});
    return named;
}

void WeightAverage::setAverage(const std::vector<NamedTensor> &average)
{
    m_average.clear();
    if (!isOn() || average.empty())
        return;
    TORCH_CHECK(average.size() == m_weights.size(), "the average is of another model");
    for (std::size_t i = 0; i < average.size(); ++i) {
        const torch::Tensor &weights = m_weights[i].tensor;
        TORCH_CHECK(average[i].name == m_weights[i].name && average[i].tensor.sizes() == weights.sizes(),
                    "the average is of another model");
        m_average.push_back(torch::empty_like(weights.detach()).copy_(average[i].tensor));
    }
}

}  // namespace sweepscope::train
