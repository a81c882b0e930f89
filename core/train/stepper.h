#pragma once

#include "train/batch.h"
#include "train/loss.h"
#include "train/network.h"
#include "train/optimizer.h"
#include "train/parallel/distributeddataparallel.h"
#include "train/stepclock.h"
#include "train/stepreporter.h"
#include "train/trainsettings.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::train {

/// Optimiser steps on all ranks: batches forward and backward, gradients exchanged and clipped, weights updated.
class Stepper {
public:
    /// When the outcome of a step is known. A GPU never waits for the host if that reads figures after it has queued the
    /// next step; whether weights are updated is then decided on the GPU.
    enum class Figures { AtOnce, OneStepLate };

    Stepper(const TrainSettings &settings, Task task, Network &network, DistributedDataParallel &parallel,
            Optimizer &optimizer, ProcessGroup &group, Figures figures);

    struct Outcome {
        std::int64_t step = 0;
        StepFigures figures{};
        bool stop = false;   ///< some rank asked to stop: the same on every rank
        bool finite = true;  ///< loss and gradients of all ranks: the same on every rank. If not, nothing was updated
        int notFiniteLosses = 0;  ///< ranks whose loss is not finite: the same on every rank
        int notFiniteRank = -1;   ///< if it is the loss of one rank alone: which one
    };

    /// The step number `step` over `batches` from `nextBatch`, whose gradients are averaged. `wantsStop`: this rank asks
    /// to stop after the step. Returns the outcome of this step, or, one step late, of the one before, if it is not
    /// known already. Throws RankLost.
    std::optional<Outcome> run(std::int64_t step, const std::function<Batch()> &nextBatch, std::int64_t batches,
                               double learningRate, bool wantsStop);
    /// Waits for the last step. Returns its outcome if it is not known already.
    std::optional<Outcome> finish();

private:
    /// Over the batches of one step.
    struct Answers {
        CorrectCounter correct;
        std::int64_t targets = 0;
    };
    /// What the device may still be at.
    struct Step {
        std::int64_t number = 0;
        double learningRate = 0;
        std::int64_t samples = 0;
        std::int64_t targets = 0;
        StepClock clock;
        Exchange exchange{};
        std::vector<Batch::Copy> copies{};
        torch::Tensor numbers{};  ///< loss, norm, right answers and votes, on the CPU once the clock's end is past
    };
    struct Sums {
        torch::Tensor loss;
        torch::Tensor correct;
    };
    torch::Tensor forward(const Batch &batch, Answers &answers);
    Sums forwardAndBackward(Step &step, const std::function<Batch()> &nextBatch, std::int64_t batches, bool wantsStop);
    void voteOn(const torch::Tensor &loss, bool wantsStop);
    void keepBuffers();
    void restoreBuffers(const torch::Tensor &isSkipped);
    void update(Step &step, const torch::Tensor &norm);
    Outcome outcomeOf(const Step &step) const;
    Outcome finished(const Step &step) const;

    const TrainSettings &m_settings;
    Task m_task;
    Network &m_network;
    DistributedDataParallel &m_parallel;
    Optimizer &m_optimizer;
    ProcessGroup &m_group;
    Figures m_figures;
    std::vector<torch::Tensor> m_parameters;
    std::vector<torch::Tensor>
        m_keptBuffers;  ///< running statistics, which forward changes even in a step that is skipped
    std::optional<Step> m_underWay;
};

}  // namespace sweepscope::train
