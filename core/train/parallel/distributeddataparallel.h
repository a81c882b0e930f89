#pragma once

#include "train/parallel/buckets.h"
#include "train/parallel/exchange.h"
#include "train/parallel/processgroup.h"
#include "train/parallel/shapecheck.h"

#include <memory>
#include <torch/nn/module.h>
#include <vector>

namespace sweepscope::train {

/// Data-parallel training with the semantics of torch.nn.parallel.DistributedDataParallel. Once per step:
///
///     ddp.zeroGradients();
///     ddp.prepareForward();                  // buffers from rank 0
///     for (every batch but the last) {       // gradient accumulation, where wanted
///         ddp.backward(f(module->forward(batch)), DistributedDataParallel::Sync::No);
///     }
///     ddp.backward(f(module->forward(batch)));
///     optimizer.step();                      // gradients are the mean over ranks
///
///   parameters   p9 p8 | p7 p6 p5 | p4 ...    in flat buckets (see buckets.h), in reverse order at first, after the
///                                             first step in the order in which rank 0 saw gradients become ready
///   gradients    after backward() views into the buckets: all-reduce works in place, nothing is copied back
///
/// A bucket's all-reduce starts as soon as backward has filled it, so communication hides behind what is left of
/// backward. Gradients are scaled by 1 / ranks as they enter the bucket, and then summed. Parameters may lie on several
/// devices. One thread calls; every rank must make the same calls.
class DistributedDataParallel {
public:
    struct Options {
        BucketLimits limits{};
        /// Some parameters may get no gradient in a step, other ones on other ranks. Where no rank has one, the
        /// gradient stays undefined, so that the optimiser passes over it. Costs one small exchange per step. Buckets
        /// keep their first order then.
        bool findUnused = false;
        bool broadcastBuffers = true;
        /// float32 gradients travel as bfloat16, which halves the traffic, as with PyTorch's bf16_compress_hook.
        bool sendsBf16 = false;
    };
    enum class Sync { Yes, No };

    /// Checks that all ranks have the same parameters and buffers (throws c10::Error naming rank and tensor), and takes
    /// rank 0's values everywhere. Buffers of one type become parts of one tensor, which is exchanged as a whole.
    /// Parameters and buffers must not be replaced while this lives.
    DistributedDataParallel(std::vector<NamedTensor> parameters, std::vector<NamedTensor> buffers, ProcessGroup &group,
                            const Options &options);
    DistributedDataParallel(torch::nn::Module &module, ProcessGroup &group, const Options &options);
    ~DistributedDataParallel();
    DistributedDataParallel(const DistributedDataParallel &) = delete;
    DistributedDataParallel &operator=(const DistributedDataParallel &) = delete;

    /// Gradients become undefined, as Python's zero_grad(set_to_none=True) makes them. LibTorch's
    /// Optimizer::zero_grad() cannot be used in its place: it detaches gradients, which views do not allow.
    void zeroGradients();
    /// Rank 0's buffers everywhere: startBuffers(), and awaitBuffers() before they are used. In between is time to fetch a
    /// batch.
    void prepareForward();
    void startBuffers();
    void awaitBuffers();
    /// Throws c10::Error naming a parameter without a gradient (unless findUnused), and RankLost.
    void backward(const torch::Tensor &loss, Sync sync = Sync::Yes);

    /// A number sent with the gradients of the next synchronised backward, without a separate exchange; 0 if a rank does
    /// not vote. `ballot` is a tensor of one number on any device. After backward(), votes() are the sums over ranks, the
    /// same on every rank.
    enum class Question { Stop, NotFinite, NotFiniteRank };
    void vote(Question question, const torch::Tensor &ballot);
    void vote(Question question, double ballot);
    /// One number per question, on the gradients' device; the next backward() changes it.
    const torch::Tensor &votes() const;

    /// Euclidean norm of all gradients together, after backward(): the same on every rank. One number on the gradients'
    /// device.
    torch::Tensor gradientNorm() const;
    /// torch.nn.utils.clip_grad_norm_, which scales whole buckets. Returns the norm before.
    torch::Tensor clipGradients(double largest);

    /// Rank 0's buffers, one flat tensor per type and device, of which those of the module are parts.
    const std::vector<torch::Tensor> &flatBuffers() const;
    /// Of the last backward with Sync::Yes.
    const Exchange &exchange() const;
    std::size_t bucketCount() const;
    /// Parameters (by their place among those that are trained) in the order in which the last backward made their
    /// gradients; after the buckets are rebuilt: the order that they follow.
    const std::vector<std::size_t> &readyOrder() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The module's parameters or buffers with their names.
std::vector<NamedTensor> namedParameters(const torch::nn::Module &module);
std::vector<NamedTensor> namedBuffers(const torch::nn::Module &module);

}  // namespace sweepscope::train
