#pragma once

#include "train/parallel/buckets.h"
#include "train/parallel/processgroup.h"

#include <memory>
#include <torch/nn/module.h>

namespace sweepscope::train {

/// Data-parallel training with the semantics of torch.nn.parallel.DistributedDataParallel. Once per step:
///
///     ddp.prepareStep();                  // gradients to zero, buffers from rank 0
///     loss = f(module->forward(batch));
///     loss.backward();                    // each full bucket's all-reduce starts as soon as its gradients are there
///     ddp.finishStep();                   // waits: gradients are now the mean over ranks
///     optimizer.step();
///
///   parameters   p9 p8 | p7 p6 p5 | p4 ...        reverse order, in flat buckets (see buckets.h)
///   gradients    views into the buckets: autograd adds into them, all-reduce works in place, nothing is copied
///
/// Gradients are divided by the world size and then summed. One thread; one backward per step; every parameter that
/// requires a gradient must get one in every step.
class DistributedDataParallel {
public:
    /// Checks that all ranks have the same parameters and buffers (throws c10::Error naming rank and tensor), and takes
    /// rank 0's values everywhere. The module stays on its device; its parameters must not be replaced while this
    /// lives.
    DistributedDataParallel(torch::nn::Module &module, ProcessGroup &group, const BucketLimits &limits = {});
    ~DistributedDataParallel();
    DistributedDataParallel(const DistributedDataParallel &) = delete;
    DistributedDataParallel &operator=(const DistributedDataParallel &) = delete;

    void prepareStep();
    void finishStep();

    std::size_t bucketCount() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace sweepscope::train
