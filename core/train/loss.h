#pragma once

#include "train/data/samples.h"

#include <cstdint>
#include <torch/types.h>

namespace sweepscope::train {

enum class Reduction { Mean, Sum };

/// Cross-entropy (with label smoothing) or mean squared error of scores against targets. Tokens: over all characters of
/// the batch.
torch::Tensor computeLoss(Task task, const torch::Tensor &scores, const torch::Tensor &targets, double labelSmoothing,
                          Reduction reduction = Reduction::Mean);

/// Right answers of a classification: targets whose score is the largest.
std::int64_t countCorrect(const torch::Tensor &scores, const torch::Tensor &targets);

/// The same over several batches, without waiting for a GPU.
class CorrectCounter {
public:
    void add(const torch::Tensor &scores, const torch::Tensor &targets);
    /// One number, where the scores were.
    torch::Tensor total() const;

private:
    std::int64_t m_counted = 0;
    torch::Tensor m_onGpu;
};

/// What the mean is taken over: samples, characters, or numbers to predict.
std::int64_t countTargets(const torch::Tensor &targets);

}  // namespace sweepscope::train
