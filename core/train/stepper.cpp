#include "train/stepper.h"

#include "train/autocast.h"

#include <algorithm>
#include <cmath>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

using Part = StepClock::Part;
using Question = DistributedDataParallel::Question;

/// Places in Step::numbers; the votes come after them.
enum Number : std::int64_t { Loss, Norm, Correct, Votes };

std::int64_t placeOf(Question question)
{
    return Votes + static_cast<std::int64_t>(question);
}

/// So that one copy brings all of them to the host. On a GPU few kernels count more than the last digits.
torch::Tensor inOne(const std::vector<torch::Tensor> &numbers, torch::Device device)
{
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor &number : numbers)
        parts.push_back(number.to(device, device.is_cpu() ? torch::kFloat64 : torch::kFloat32, /*non_blocking=*/true)
                            .reshape({-1}));
    return torch::cat(parts);
}

/// isfinite() is made of four kernels. A number less itself is 0, unless it is not finite.
torch::Tensor isNotFinite(const torch::Tensor &number)
{
    return (number - number).ne(0);
}

}  // namespace

Stepper::Stepper(const TrainSettings &settings, Task task, Network &network, DistributedDataParallel &parallel,
                 Optimizer &optimizer, ProcessGroup &group, Figures figures)
    : m_settings(settings),
      m_task(task),
      m_network(network),
      m_parallel(parallel),
      m_optimizer(optimizer),
      m_group(group),
      m_figures(figures),
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

void Stepper::keepBuffers()
{
    m_keptBuffers.clear();
    if (m_settings.nanPolicy != "skip")
        return;
    for (const torch::Tensor &buffer : m_parallel.flatBuffers())
        m_keptBuffers.push_back(buffer.clone());
}

/// `isSkipped`: 1 or 0, where the buffers are.
void Stepper::restoreBuffers(const torch::Tensor &isSkipped)
{
    const torch::NoGradGuard noGrad;
    for (std::size_t i = 0; i < m_keptBuffers.size(); ++i) {
        torch::Tensor buffer = m_parallel.flatBuffers()[i];
        const torch::Tensor condition = isSkipped.to(buffer.device(), torch::kBool, /*non_blocking=*/true);
        buffer.copy_(torch::where(condition, m_keptBuffers[i], buffer));
    }
}

void Stepper::voteOn(const torch::Tensor &loss, bool wantsStop)
{
    m_parallel.vote(Question::Stop, wantsStop ? 1 : 0);
    if (loss.is_cpu()) {
        const bool notFinite = !std::isfinite(loss.item<double>());
        m_parallel.vote(Question::NotFinite, notFinite ? 1 : 0);
        m_parallel.vote(Question::NotFiniteRank, notFinite ? m_group.rank() : 0);
    } else {
        const torch::Tensor notFinite = isNotFinite(loss);
        m_parallel.vote(Question::NotFinite, notFinite);
        if (m_group.rank() > 0)
            m_parallel.vote(Question::NotFiniteRank, notFinite * static_cast<double>(m_group.rank()));
    }
}

Stepper::Sums Stepper::forwardAndBackward(Step &step, const std::function<Batch()> &nextBatch, std::int64_t batches,
                                          bool wantsStop)
{
    m_parallel.startBuffers();
    if (m_group.size() > 1)
        step.clock.passed(Part::Exchange);
    torch::Tensor lossSum;
    Answers answers;
    for (std::int64_t i = 0; i < batches; ++i) {
        const Batch batch = nextBatch();
        batch.awaitCopy();
        if (batch.copy)
            step.copies.push_back(*batch.copy);
        step.clock.passed(Part::Data);
        if (i == 0) {
            m_parallel.awaitBuffers();
            if (m_group.size() > 1)
                step.clock.passed(Part::Exchange);
            keepBuffers();
        }
        torch::Tensor loss = forward(batch, answers);
        step.samples += batch.size();
        if (batches > 1)
            loss = loss / static_cast<double>(batches);
        lossSum = lossSum.defined() ? lossSum + loss.detach() : loss.detach();
        step.clock.passed(Part::Forward);
        const bool isLast = i + 1 == batches;
        if (isLast)
            voteOn(lossSum, wantsStop);
        m_parallel.backward(loss, isLast ? DistributedDataParallel::Sync::Yes : DistributedDataParallel::Sync::No);
        step.clock.passed(Part::Backward);
    }
    step.targets = answers.targets;
    step.exchange = m_parallel.exchange();
    return {lossSum, answers.correct.total()};
}

std::optional<Stepper::Outcome> Stepper::run(std::int64_t number, const std::function<Batch()> &nextBatch,
                                             std::int64_t batches, double learningRate, bool wantsStop)
{
    Step step{.number = number, .learningRate = learningRate, .clock = StepClock(m_parameters.front().device())};
    m_parallel.zeroGradients();
    const Sums sums = forwardAndBackward(step, nextBatch, batches, wantsStop);
    m_network.collectGradients();
    const torch::Tensor norm =
        m_settings.clipNorm > 0 ? m_parallel.clipGradients(m_settings.clipNorm) : m_parallel.gradientNorm();
    step.numbers = inOne({sums.loss, norm, sums.correct, m_parallel.votes()}, norm.device())
                       .to(torch::kCPU, /*non_blocking=*/Moment::followsGpus());
    update(step, norm);
    step.clock.passed(Part::Update);
    if (m_figures == Figures::AtOnce)
        return finished(step);
    const std::optional<Step> before = std::exchange(m_underWay, std::move(step));
    return before ? std::optional(finished(*before)) : std::nullopt;
}

/// Unless loss or gradients of some rank are not finite.
void Stepper::update(Step &step, const torch::Tensor &norm)
{
    if (m_figures == Figures::OneStepLate) {
        const torch::Tensor losses = m_parallel.votes()[static_cast<std::int64_t>(Question::NotFinite)];
        const torch::Tensor isSkipped = (norm - norm + losses).ne(0).to(torch::kFloat32);
        m_optimizer.step(step.learningRate, isSkipped);
        restoreBuffers(isSkipped);
        m_network.weightsChanged();
        return;
    }
    m_group.waitFor(Moment::on(norm.device()), step.exchange.works());
    if (outcomeOf(step).finite) {
        m_optimizer.step(step.learningRate);
        m_network.weightsChanged();
    } else {
        restoreBuffers(torch::ones({}));
    }
}

std::optional<Stepper::Outcome> Stepper::finish()
{
    const std::optional<Step> last = std::exchange(m_underWay, std::nullopt);
    return last ? std::optional(finished(*last)) : std::nullopt;
}

/// Without times.
Stepper::Outcome Stepper::outcomeOf(const Step &step) const
{
    const torch::Tensor wide = step.numbers.to(torch::kFloat64);
    const double *numbers = wide.data_ptr<double>();
    Outcome outcome{.step = step.number};
    outcome.stop = numbers[placeOf(Question::Stop)] != 0;
    outcome.notFiniteLosses = static_cast<int>(numbers[placeOf(Question::NotFinite)]);
    if (outcome.notFiniteLosses == 1)
        outcome.notFiniteRank = static_cast<int>(numbers[placeOf(Question::NotFiniteRank)]);
    outcome.finite = outcome.notFiniteLosses == 0 && std::isfinite(numbers[Norm]);
    outcome.figures.loss = numbers[Loss];
    outcome.figures.gradientNorm = numbers[Norm];
    if (m_task == Task::Classification)
        outcome.figures.accuracy = numbers[Correct] / static_cast<double>(step.targets);
    outcome.figures.learningRate = step.learningRate;
    return outcome;
}

Stepper::Outcome Stepper::finished(const Step &step) const
{
    m_group.waitFor(step.clock.end(), step.exchange.works());
    Outcome outcome = outcomeOf(step);
    StepFigures &figures = outcome.figures;
    const Exchange::Times exchange = step.exchange.times();
    figures.stepSeconds = step.clock.total();
    figures.dataWaitSeconds = step.clock.seconds(Part::Data);
    figures.forwardSeconds = step.clock.seconds(Part::Forward);
    figures.backwardSeconds = std::max(0.0, step.clock.seconds(Part::Backward) - exchange.wait);
    figures.updateSeconds = step.clock.seconds(Part::Update);
    figures.commWaitSeconds = step.clock.seconds(Part::Exchange) + exchange.wait;
    figures.commOverlapSeconds = exchange.overlap;
    figures.bucketSeconds = exchange.buckets;
    figures.computeSeconds = figures.stepSeconds - figures.dataWaitSeconds - figures.commWaitSeconds;
    figures.samplesPerSecond = static_cast<double>(step.samples) / figures.stepSeconds;
    if (step.targets > step.samples && m_task == Task::Classification)
        figures.tokensPerSecond = static_cast<double>(step.targets) / figures.stepSeconds;
    for (const Batch::Copy &copy : step.copies)
        figures.copySeconds = figures.copySeconds.value_or(0) + copy.end.secondsSince(copy.begin);
    return outcome;
}

}  // namespace sweepscope::train
