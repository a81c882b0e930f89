#pragma once

#include "train/batch.h"
#include "train/loss.h"
#include "train/network.h"
#include "train/optimizer.h"
#include "train/parallel/distributeddataparallel.h"
#include "train/stepreporter.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <functional>

namespace sweepscope::train {

/// One optimiser step on all ranks: batches forward and backward, gradients exchanged and clipped, weights updated.
class Stepper {
public:
    Stepper(const TrainSettings &settings, Task task, Network &network, DistributedDataParallel &parallel,
            Optimizer &optimizer, int rank);

    struct Outcome {
        StepFigures figures;
        bool stop = false;   ///< some rank asked to stop: the same on every rank
        bool finite = true;  ///< loss and gradients of all ranks: the same on every rank. If not, nothing was updated
        int notFiniteLosses = 0;  ///< ranks whose loss is not finite: the same on every rank
        int notFiniteRank = -1;   ///< if it is the loss of one rank alone: which one
    };

    /// `batches` from `nextBatch`, whose gradients are averaged. `wantsStop`: this rank asks to stop after the step.
    Outcome run(const std::function<Batch()> &nextBatch, std::int64_t batches, double learningRate, bool wantsStop);

private:
    /// Over the batches of one step.
    struct Answers {
        CorrectCounter correct;
        std::int64_t targets = 0;
    };
    torch::Tensor forward(const Batch &batch, Answers &answers);
    std::vector<torch::Tensor> buffersToKeep() const;

    const TrainSettings &m_settings;
    Task m_task;
    Network &m_network;
    DistributedDataParallel &m_parallel;
    Optimizer &m_optimizer;
    int m_rank;
    std::vector<torch::Tensor> m_parameters;
};

}  // namespace sweepscope::train
