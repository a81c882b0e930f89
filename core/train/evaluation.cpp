#include "train/evaluation.h"

#include "train/autocast.h"
#include "train/loss.h"
#include "train/torcherror.h"

#include <algorithm>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Without gradients twice the batch of training needs no more memory; more than this is hardly faster.
std::int64_t firstBatchSize(std::int64_t trainingBatch)
{
    constexpr std::int64_t most = 512;
    return std::min(most, 2 * trainingBatch);
}

}  // namespace

Score evaluate(Network &network, const Samples &set, const TrialData &data, const BatchMaker &maker,
               ProcessGroup &group, bool bf16, std::int64_t trainingBatch)
{
    const torch::NoGradGuard noGrad;
    const Bf16Autocast autocast(bf16, group.device());
    network.train(false);
    const torch::Tensor mine = (data.isPart ? torch::arange(set.size(), torch::kInt64)
                                            : torch::arange(std::min<std::int64_t>(group.rank(), set.size()),
                                                            set.size(), group.size(), torch::kInt64))
                                   .to(set.targets.device());
    ScoreSums sums(data.task, data.kind, data.outputs);
    std::int64_t batchSize = firstBatchSize(trainingBatch);
    for (std::int64_t start = 0; start < mine.size(0);) {
        const std::int64_t length = std::min(batchSize, mine.size(0) - start);
        try {
            const Batch batch = maker.make(set, mine.narrow(0, start, length));
            batch.awaitCopy();
            const torch::Tensor scores = network.forward(batch.inputs).to(torch::kFloat32);
            const torch::Tensor targets = batch.targets.to(scores.device(), /*non_blocking=*/true);
            const torch::Tensor loss = computeLoss(data.task, scores, targets, 0, Reduction::Sum);
            sums.add(loss, scores, targets);
            start += length;
        } catch (const std::exception &error) {
            if (!isOutOfMemory(error) || length == 1)
                throw;
            batchSize = length / 2;
        }
    }
    network.train(true);

    sums.sumOver(group);
    return sums.score();
}

}  // namespace sweepscope::train
