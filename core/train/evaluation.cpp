#include "train/evaluation.h"

#include "train/batch.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::int64_t evaluationBatch = 512;

}  // namespace

std::int64_t countCorrect(const torch::Tensor &scores, const torch::Tensor &labels)
{
    return scores.argmax(1).eq(labels).sum().item<std::int64_t>();
}

Score evaluate(torch::nn::Sequential &model, const LabelledImages &set, const TrialData &data, ProcessGroup &group)
{
    const torch::NoGradGuard noGrad;
    model->eval();
    const torch::Tensor mine =
        torch::arange(group.rank(), set.size(), group.size(), torch::kInt64).to(set.labels.device());
    double loss = 0;
    std::int64_t correct = 0;
    for (std::int64_t start = 0; start < mine.size(0); start += evaluationBatch) {
        const std::int64_t length = std::min(evaluationBatch, mine.size(0) - start);
        const Batch batch = makeBatch(set, mine.narrow(0, start, length), data.pixelMean, data.pixelDeviation);
        const torch::Tensor scores = model->forward(batch.images);
        loss += torch::nn::functional::cross_entropy(
                    scores, batch.labels, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum))
                    .item<double>();
        correct += countCorrect(scores, batch.labels);
    }
    model->train();

    torch::Tensor sums = torch::tensor({loss, static_cast<double>(correct)}, torch::kFloat64);
    group.sum(sums);
    const auto count = static_cast<double>(set.size());
    return {sums[0].item<double>() / count, sums[1].item<double>() / count};
}

}  // namespace sweepscope::train
