#include "train/loss.h"

#include <algorithm>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Three tensor operations would cost more than the whole count of a small batch.
std::int64_t countInMemory(const torch::Tensor &scores, const torch::Tensor &targets)
{
    const std::int64_t classes = scores.size(-1);
    const float *row = scores.data_ptr<float>();
    const std::int64_t *wanted = targets.data_ptr<std::int64_t>();
    std::int64_t correct = 0;
    for (std::int64_t i = 0; i < targets.numel(); ++i, row += classes)
        correct += std::max_element(row, row + classes) - row == wanted[i] ? 1 : 0;
    return correct;
}

torch::Tensor countByTensor(const torch::Tensor &scores, const torch::Tensor &targets)
{
    return scores.argmax(-1).eq(targets).sum();
}

}  // namespace

torch::Tensor computeLoss(Task task, const torch::Tensor &scores, const torch::Tensor &targets, double labelSmoothing,
                          Reduction reduction)
{
    namespace functional = torch::nn::functional;
    if (task == Task::Regression) {
        // [N] with [N, 1] would be broadcast to N times N differences.
        TORCH_CHECK(scores.numel() == targets.numel(), "the model's outputs have shape ", scores.sizes(),
                    ", but the targets have ", targets.sizes());
        functional::MSELossFuncOptions options;
        if (reduction == Reduction::Sum)
            options.reduction(torch::kSum);
        return functional::mse_loss(scores.reshape_as(targets), targets, options);
    }
    functional::CrossEntropyFuncOptions options;
    options.label_smoothing(labelSmoothing);
    if (reduction == Reduction::Sum)
        options.reduction(torch::kSum);
    if (targets.dim() == 1)
        return functional::cross_entropy(scores, targets, options);
    return functional::cross_entropy(scores.reshape({-1, scores.size(-1)}), targets.reshape({-1}), options);
}

std::int64_t countCorrect(const torch::Tensor &scores, const torch::Tensor &targets)
{
    const bool plain = scores.is_cpu() && scores.scalar_type() == torch::kFloat32 && scores.is_contiguous()
                       && targets.is_contiguous() && scores.size(-1) > 0;
    if (plain)
        return countInMemory(scores, targets);
    return countByTensor(scores, targets).item<std::int64_t>();
}

void CorrectCounter::add(const torch::Tensor &scores, const torch::Tensor &targets)
{
    if (scores.is_cpu()) {
        m_counted += countCorrect(scores, targets);
        return;
    }
    const torch::Tensor more = countByTensor(scores, targets);
    m_onGpu = m_onGpu.defined() ? m_onGpu + more : more;
}

torch::Tensor CorrectCounter::total() const
{
    return m_onGpu.defined() ? m_onGpu : torch::scalar_tensor(m_counted, torch::kInt64);
}

std::int64_t countTargets(const torch::Tensor &targets)
{
    return targets.numel();
}

}  // namespace sweepscope::train
