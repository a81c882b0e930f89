#include "train/trainer.h"

#include "train/batch.h"
#include "train/evaluation.h"
#include "train/model.h"
#include "train/optimizer.h"
#include "train/parallel/distributeddataparallel.h"
#include "train/parallel/distributedsampler.h"
#include "train/parallel/weighthash.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

torch::nn::Sequential seededModel(const TrainSettings &settings, const TrialData &data, const ProcessGroup &group)
{
    torch::manual_seed(settings.seed);
    torch::nn::Sequential model =
        makeModel(settings, {data.train.images.size(2), data.train.images.size(3), data.classes});
    model->to(group.device());
    // Ranks drop different activations: their batches differ, their noise should too.
    torch::manual_seed(settings.seed + static_cast<std::uint64_t>(group.rank()));
    return model;
}

std::vector<NamedTensor> weightsOf(torch::nn::Sequential &model)
{
    std::vector<NamedTensor> weights;
    for (const auto &item : model->named_parameters())
        weights.push_back({item.key(), item.value()});
    return weights;
}

/// Begins as each step begins and is read at its end: one small exchange that hides behind the computation.
class StopAgreement {
public:
    StopAgreement(ProcessGroup &group, bool wanted)
        : m_group(group), m_wanted(torch::full({1}, wanted ? 1 : 0, torch::kInt32))
    {
        if (group.size() > 1)
            m_work = group.startControlMax(m_wanted);
    }
    bool agreed()
    {
        if (m_work)
            m_group.wait(m_work);
        return m_wanted.item<std::int32_t>() != 0;
    }

private:
    ProcessGroup &m_group;
    torch::Tensor m_wanted;
    ProcessGroup::Work m_work;
};

template <typename... Values>
std::string format(const char *pattern, Values... values)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

}  // namespace

struct Trainer::Replica {
    torch::nn::Sequential model;
    DistributedDataParallel parallel;
    std::unique_ptr<torch::optim::Optimizer> optimizer;
    DistributedSampler sampler;

    Replica(const TrainSettings &settings, const TrialData &data, ProcessGroup &group)
        : model(seededModel(settings, data, group)),
          parallel(*model, group),
          optimizer(makeOptimizer(settings, model->parameters())),
          sampler(data.train.size(), group.size(), group.rank(), {.shuffle = true, .seed = settings.seed})
    {}
};

Trainer::Trainer(const TrainSettings &settings, TrialData data, ProcessGroup &group, StepReporter &reporter,
                 Hooks hooks)
    : m_settings(settings), m_data(std::move(data)), m_group(group), m_reporter(reporter), m_hooks(std::move(hooks))
{
    m_data.train = m_data.train.to(group.device());
    m_data.validation = m_data.validation.to(group.device());
    m_data.test = m_data.test.to(group.device());
}

TrainingEnd Trainer::run()
{
    Replica replica(m_settings, m_data, m_group);
    replica.model->train();
    const std::int64_t stepsPerEpoch = (replica.sampler.size() + m_settings.batchSize - 1) / m_settings.batchSize;
    m_reporter.total(stepsPerEpoch * m_settings.epochs);
    m_hooks.log(format("%lld training, %lld validation, %lld test images; %lld epochs of %lld steps",
                       static_cast<long long>(m_data.train.size()), static_cast<long long>(m_data.validation.size()),
                       static_cast<long long>(m_data.test.size()), static_cast<long long>(m_settings.epochs),
                       static_cast<long long>(stepsPerEpoch)));

    for (std::int64_t epoch = 1; epoch <= m_settings.epochs; ++epoch) {
        const Clock::time_point start = Clock::now();
        if (!trainEpoch(replica, epoch))
            return TrainingEnd::Stopped;
        finishEpoch(replica, epoch, secondsSince(start));
    }

    if (m_data.test.size() > 0) {
        const Score score = evaluate(replica.model, m_data.test, m_data, m_group);
        m_reporter.test(m_step, score);
        m_hooks.log(format("test_loss %.4f  test_accuracy %.4f", score.loss, score.accuracy));
    }
    m_group.barrier();
    return TrainingEnd::Completed;
}

bool Trainer::trainEpoch(Replica &replica, std::int64_t epoch)
{
    const torch::Tensor indices = replica.sampler.epoch(epoch - 1).to(m_group.device());
    for (const torch::Tensor &batchIndices : indices.split(m_settings.batchSize)) {
        ++m_step;
        StopAgreement stop(m_group, m_hooks.stopRequested());
        const StepFigures figures = trainStep(replica, batchIndices);
        m_reporter.step(m_step, figures);
        m_lastLoss = figures.loss;
        if (!std::isfinite(figures.loss))
            throw TrainingError(std::string("loss is ") + (std::isnan(figures.loss) ? "nan" : "infinite") + " at step "
                                + std::to_string(m_step));
        if (stop.agreed())
            return false;
    }
    return true;
}

StepFigures Trainer::trainStep(Replica &replica, const torch::Tensor &indices)
{
    const Clock::time_point start = Clock::now();
    const Batch batch = makeBatch(m_data.train, indices, m_data.pixelMean, m_data.pixelDeviation);
    StepFigures figures;
    figures.dataWaitSeconds = secondsSince(start);

    replica.parallel.prepareStep();
    const torch::Tensor scores = replica.model->forward(batch.images);
    const torch::Tensor loss = torch::nn::functional::cross_entropy(scores, batch.labels);
    loss.backward();
    replica.parallel.finishStep();
    replica.optimizer->step();

    const auto samples = static_cast<double>(batch.size());
    figures.loss = loss.item<double>();
    figures.accuracy = static_cast<double>(countCorrect(scores.detach(), batch.labels)) / samples;
    figures.learningRate = replica.optimizer->param_groups().front().options().get_lr();
    figures.stepSeconds = secondsSince(start);
    figures.samplesPerSecond = samples / figures.stepSeconds;
    return figures;
}

void Trainer::finishEpoch(Replica &replica, std::int64_t epoch, double seconds)
{
    if (const auto difference = findWeightDifference(weightsOf(replica.model), m_group))
        throw TrainingError("after epoch " + std::to_string(epoch) + " (step " + std::to_string(m_step) + ") "
                            + *difference);
    std::string line = format("epoch %lld/%lld  step %lld  loss %.4f", static_cast<long long>(epoch),
                              static_cast<long long>(m_settings.epochs), static_cast<long long>(m_step), m_lastLoss);
    if (m_data.validation.size() > 0) {
        const Score score = evaluate(replica.model, m_data.validation, m_data, m_group);
        m_reporter.validation(m_step, score);
        line += format("  val_loss %.4f  val_accuracy %.4f", score.loss, score.accuracy);
    }
    m_reporter.event(feed::EventKind::Epoch, m_step, "epoch " + std::to_string(epoch));
    m_hooks.log(line + format("  %.2f s", seconds));
}

}  // namespace sweepscope::train
