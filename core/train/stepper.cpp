#include "train/stepper.h"

#include "train/autocast.h"
#include "train/stopwatch.h"

#include <chrono>
#include <cmath>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

using Clock = std::chrono::steady_clock;
using Question = DistributedDataParallel::Question;

}  // namespace

Stepper::Stepper(const TrainSettings &settings, Task task, Network &network, DistributedDataParallel &parallel,
                 Optimizer &optimizer, int rank)
    : m_settings(settings),
      m_task(task),
      m_network(network),
      m_parallel(parallel),
      m_optimizer(optimizer),
      m_rank(rank),
      m_parameters(tensorsOf(network.parameters()))
{}

/// Through the model in micro_batches parts; the loss is that of the whole batch. Nothing here waits for a GPU: that is
/// what lets each stage of a model compute another part.
torch::Tensor Stepper::forward(const Batch &batch, Answers &answers)
{
    torch::Tensor whole;
    const auto inputs = batch.inputs.chunk(m_settings.microBatches);
    const auto targets = batch.targets.chunk(m_settings.microBatches);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        torch::Tensor scores;
        {
            const Bf16Autocast autocast(m_settings.precision == "bf16", m_parameters.front().device());
            scores = m_network.forward(inputs[i]);
        }
        scores = scores.to(torch::kFloat32);
        const torch::Tensor wanted = targets[i].to(scores.device(), /*non_blocking=*/true);
        torch::Tensor loss = computeLoss(m_task, scores, wanted, m_settings.labelSmoothing);
        if (inputs.size() > 1)
            loss = loss * (static_cast<double>(wanted.size(0)) / static_cast<double>(batch.size()));
        whole = whole.defined() ? whole + loss : loss;
        if (m_task == Task::Classification)
            answers.correct.add(scores.detach(), wanted);
        answers.targets += countTargets(wanted);
    }
    return whole;
}

/// Running statistics, which forward changes even where the step is left out in the end.
std::vector<torch::Tensor> Stepper::buffersToKeep() const
{
    std::vector<torch::Tensor> kept;
    if (m_settings.nanPolicy == "skip") {
        for (const NamedTensor &buffer : m_network.buffers())
            kept.push_back(buffer.tensor.clone());
    }
    return kept;
}

Stepper::Outcome Stepper::run(const std::function<Batch()> &nextBatch, std::int64_t batches, double learningRate,
                              bool wantsStop)
{
    const Clock::time_point start = Clock::now();
    Outcome outcome;
    StepFigures &figures = outcome.figures;
    m_parallel.zeroGradients();
    const Clock::time_point broadcasting = Clock::now();
    m_parallel.startBuffers();
    double broadcastSeconds = secondsSince(broadcasting);
    std::vector<torch::Tensor> buffersBefore;
    torch::Tensor lossSum;
    Answers answers;
    std::int64_t samples = 0;
    for (std::int64_t i = 0; i < batches; ++i) {
        const Clock::time_point waiting = Clock::now();
        const Batch batch = nextBatch();
        figures.dataWaitSeconds += secondsSince(waiting);
        if (i == 0) {
            const Clock::time_point awaiting = Clock::now();
            m_parallel.awaitBuffers();
            broadcastSeconds += secondsSince(awaiting);
            buffersBefore = buffersToKeep();
        }
        torch::Tensor loss = forward(batch, answers);
        samples += batch.size();
        if (batches > 1)
            loss = loss / static_cast<double>(batches);
        lossSum = lossSum.defined() ? lossSum + loss.detach() : loss.detach();
        const bool synchronised = i + 1 == batches;
        if (synchronised) {
            m_parallel.vote(Question::Stop, wantsStop ? 1 : 0);
            if (lossSum.is_cpu()) {
                const bool notFinite = !std::isfinite(lossSum.item<double>());
                m_parallel.vote(Question::NotFinite, notFinite ? 1 : 0);
                m_parallel.vote(Question::NotFiniteRank, notFinite ? m_rank : 0);
            } else {  // without waiting for the GPU
                const torch::Tensor notFinite = lossSum.isfinite().logical_not().to(torch::kFloat32);
                m_parallel.vote(Question::NotFinite, notFinite);
                m_parallel.vote(Question::NotFiniteRank, notFinite * static_cast<double>(m_rank));
            }
        }
        m_parallel.backward(loss,
                            synchronised ? DistributedDataParallel::Sync::Yes : DistributedDataParallel::Sync::No);
    }
    m_network.collectGradients();
    figures.gradientNorm =
        m_settings.clipNorm > 0 ? m_parallel.clipGradients(m_settings.clipNorm) : m_parallel.gradientNorm();
    outcome.stop = m_parallel.votes(Question::Stop) != 0;
    outcome.notFiniteLosses = static_cast<int>(m_parallel.votes(Question::NotFinite));
    if (outcome.notFiniteLosses == 1)
        outcome.notFiniteRank = static_cast<int>(m_parallel.votes(Question::NotFiniteRank));
    outcome.finite = outcome.notFiniteLosses == 0 && std::isfinite(figures.gradientNorm);
    if (outcome.finite) {
        m_optimizer.step(learningRate);
        m_network.weightsChanged();
    } else if (!buffersBefore.empty()) {
        const torch::NoGradGuard noGrad;
        std::vector<NamedTensor> buffers = m_network.buffers();
        for (std::size_t i = 0; i < buffers.size(); ++i)
            buffers[i].tensor.copy_(buffersBefore[i]);
    }

    figures.loss = lossSum.item<double>();
    if (m_task == Task::Classification)
        figures.accuracy = static_cast<double>(answers.correct.total()) / static_cast<double>(answers.targets);
    figures.learningRate = learningRate;
    figures.commWaitSeconds = broadcastSeconds + m_parallel.timing().waitSeconds;
    figures.commOverlapSeconds = m_parallel.timing().overlapSeconds;
    figures.stepSeconds = secondsSince(start);
    figures.computeSeconds = figures.stepSeconds - figures.dataWaitSeconds - figures.commWaitSeconds;
    figures.samplesPerSecond = static_cast<double>(samples) / figures.stepSeconds;
    return outcome;
}

}  // namespace sweepscope::train
