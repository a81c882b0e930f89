#include "train/evaluation.h"

#include "train/autocast.h"
#include "train/loss.h"
#include "train/torcherror.h"

#include <algorithm>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Sums over samples.
struct Sums {
    double loss = 0;
    std::int64_t correct = 0;
    std::int64_t targets = 0;

    void add(Network &network, Task task, const Batch &batch)
    {
        batch.awaitCopy();
        const torch::Tensor scores = network.forward(batch.inputs).to(torch::kFloat32);
        const torch::Tensor wanted = batch.targets.to(scores.device());
        const auto added = computeLoss(task, scores, wanted, 0, Reduction::Sum).item<double>();
        if (task == Task::Classification)
            correct += countCorrect(scores, wanted);
        loss += added;
        targets += countTargets(wanted);
    }
};

/// Without gradients twice the batch of training needs no more memory; more than this is hardly faster.
std::int64_t firstBatchSize(std::int64_t trainingBatch)
{
    constexpr std::int64_t most = 512;
    return std::min(most, 2 * trainingBatch);
}

}  // namespace

Score evaluate(Network &network, const Samples &set, Task task, const BatchMaker &maker, ProcessGroup &group, bool bf16,
               bool isPart, std::int64_t trainingBatch)
{
    const torch::NoGradGuard noGrad;
    const Bf16Autocast autocast(bf16, group.device());
    network.train(false);
    const torch::Tensor mine = (isPart ? torch::arange(set.size(), torch::kInt64)
                                       : torch::arange(std::min<std::int64_t>(group.rank(), set.size()), set.size(),
                                                       group.size(), torch::kInt64))
                                   .to(set.targets.device());
    Sums own;
    std::int64_t batchSize = firstBatchSize(trainingBatch);
    for (std::int64_t start = 0; start < mine.size(0);) {
        const std::int64_t length = std::min(batchSize, mine.size(0) - start);
        try {
            own.add(network, task, maker.make(set, mine.narrow(0, start, length)));
            start += length;
        } catch (const std::exception &error) {
            if (!isOutOfMemory(error) || length == 1)
                throw;
            batchSize = length / 2;
        }
    }
    network.train(true);

    torch::Tensor sums =
        torch::tensor({own.loss, static_cast<double>(own.correct), static_cast<double>(own.targets)}, torch::kFloat64);
    group.sum(sums);
    const auto count = sums[2].item<double>();
    Score score;
    score.loss = sums[0].item<double>() / count;
    if (task == Task::Classification)
        score.accuracy = sums[1].item<double>() / count;
    return score;
}

}  // namespace sweepscope::train
