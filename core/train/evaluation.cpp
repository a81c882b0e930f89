#include "train/evaluation.h"

#include "train/autocast.h"
#include "train/loss.h"

#include <algorithm>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::int64_t evaluationBatch = 512;

}  // namespace

Score evaluate(Network &network, const Samples &set, Task task, const BatchMaker &maker, ProcessGroup &group, bool bf16,
               bool isPart)
{
    const torch::NoGradGuard noGrad;
    const Bf16Autocast autocast(bf16, group.device());
    network.train(false);
    const torch::Tensor mine = (isPart ? torch::arange(set.size(), torch::kInt64)
                                       : torch::arange(std::min<std::int64_t>(group.rank(), set.size()), set.size(),
                                                       group.size(), torch::kInt64))
                                   .to(set.targets.device());
    double loss = 0;
    std::int64_t correct = 0;
    std::int64_t targetCount = 0;
    for (std::int64_t start = 0; start < mine.size(0); start += evaluationBatch) {
        const std::int64_t length = std::min(evaluationBatch, mine.size(0) - start);
        const Batch batch = maker.make(set, mine.narrow(0, start, length));
        const torch::Tensor scores = network.forward(batch.inputs).to(torch::kFloat32);
        const torch::Tensor targets = batch.targets.to(scores.device());
        targetCount += countTargets(targets);
        loss += computeLoss(task, scores, targets, 0, Reduction::Sum).item<double>();
        if (task == Task::Classification)
            correct += countCorrect(scores, targets);
    }
    network.train(true);

    torch::Tensor sums =
        torch::tensor({loss, static_cast<double>(correct), static_cast<double>(targetCount)}, torch::kFloat64);
    group.sum(sums);
    const auto count = sums[2].item<double>();
    Score score;
    score.loss = sums[0].item<double>() / count;
    if (task == Task::Classification)
        score.accuracy = sums[1].item<double>() / count;
    return score;
}

}  // namespace sweepscope::train
