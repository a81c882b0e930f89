#include "train/trainer.h"

#include "train/batchloader.h"
#include "train/blas.h"
#include "train/data/moments.h"
#include "train/evaluation.h"
#include "train/parallel/weighthash.h"
#include "train/replica.h"
#include "train/stopwatch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <torch/torch.h>
#include <utility>

namespace sweepscope::train {

namespace {

using Clock = std::chrono::steady_clock;

template <typename... Values>
std::string format(const char *pattern, Values... values)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

/// As "%.4f", but "nan" has no sign.
std::string figure(double value)
{
    return std::isnan(value) ? "nan" : format("%.4f", value);
}

/// Whose loss it is, where ranks have their own. The rank itself says what it is.
std::string notFiniteText(const Stepper::Outcome &outcome, int ranks)
{
    const double loss = outcome.figures.loss;
    if (outcome.notFiniteLosses == 0)
        return "gradients are not finite";
    if (outcome.notFiniteLosses == 1 && ranks > 1)
        return "loss of rank " + std::to_string(outcome.notFiniteRank) + " is not finite";
    return std::isnan(loss) ? "loss is nan" : "loss is infinite";
}

}  // namespace

Trainer::Trainer(const TrainSettings &settings, TrialData data, ProcessGroup &group, StepReporter &reporter,
                 Hooks hooks, Options options)
    : m_settings(settings),
      m_data(std::move(data)),
      m_group(group),
      m_reporter(reporter),
      m_hooks(std::move(hooks)),
      m_options(std::move(options))
{
    if (m_options.devices.empty())
        m_options.devices = {group.device()};
    if (!m_data.isPart)
        m_data.sizes = {m_data.train.size(), m_data.validation.size(), m_data.test.size()};
}

Trainer::~Trainer() = default;

void Trainer::prepare()
{
    if (m_data.moments.defined())
        m_data.normalisation = mergeMoments(m_group.gather(m_data.moments), m_data.train.inputs, m_data.kind);
    m_replica = std::make_unique<Replica>(m_settings, m_data, m_group, m_options.devices);
    if (m_settings.sampling == "contiguous" && !m_data.isPart) {
        const Partition mine = contiguousPartition(m_data.train.size(), m_group.size(), m_group.rank());
        m_data.train = {m_data.train.inputs.narrow(0, mine.start, mine.size).clone(),
                        m_data.train.targets.narrow(0, mine.start, mine.size).clone()};
    }
    // Data that is used as it lies goes to the GPU once; what is prepared by the CPU stays there.
    if (m_settings.augment == "none" && m_settings.loaderThreads == 0)
        m_data.train = m_data.train.to(m_options.devices.front());
    m_data.validation = m_data.validation.to(m_options.devices.front());
    m_data.test = m_data.test.to(m_options.devices.front());
    m_replica->network->train(true);
    m_keeper.emplace(CheckpointKeeper::Subject{*m_replica->network, *m_replica->optimizer, m_group, m_options.devices,
                                               m_settings.seed},
                     m_settings.checkpoints ? m_options.checkpoints : std::nullopt);
    resume();
    logStart();
}

TrainingEnd Trainer::run()
{
    prepare();
    const auto stillBetter = [this] {
        return m_settings.earlyStop == 0 || m_progress.epochsSinceBest < m_settings.earlyStop;
    };
    bool goOn = stillBetter();
    while (goOn && m_progress.epoch < m_settings.epochs) {
        const Clock::time_point start = Clock::now();
        const EpochEnd end = trainEpoch();
        if (end == EpochEnd::StopRequested) {
            saveCheckpoint(CheckpointKeeper::Saving::Always);
            return TrainingEnd::Stopped;
        }
        goOn = end == EpochEnd::Finished;
        if (goOn) {
            finishEpoch(secondsSince(start));
            goOn = stillBetter();
            if (!goOn)
                m_hooks.log(format("val_loss has not improved for %lld epochs; training stops",
                                   static_cast<long long>(m_settings.earlyStop)));
        }
    }
    saveCheckpoint(CheckpointKeeper::Saving::Always);
    logOverlap();
    test();
    m_group.barrier();
    return TrainingEnd::Completed;
}

void Trainer::logStart()
{
    m_reporter.total(m_replica->stepsPerEpoch * m_settings.epochs);
    m_hooks.log(format("%lld training, %lld validation, %lld test samples; %lld epochs of %lld steps",
                       static_cast<long long>(m_data.sizes.train), static_cast<long long>(m_data.sizes.validation),
                       static_cast<long long>(m_data.sizes.test), static_cast<long long>(m_settings.epochs),
                       static_cast<long long>(m_replica->stepsPerEpoch)));
}

void Trainer::logOverlap()
{
    const double whole = m_commOverlapSeconds + m_commWaitSeconds;
    if (m_group.size() > 1 && whole > 0)
        m_hooks.log(format("communication: %.0f%% of %.2f s overlapped with the backward pass, %.2f s spent waiting",
                           100 * m_commOverlapSeconds / whole, whole, m_commWaitSeconds));
}

Trainer::EpochEnd Trainer::trainEpoch()
{
    const torch::Tensor order = m_replica->order.epoch(m_progress.epoch);
    reportOrder(order);
    const torch::Tensor indices = (order - m_replica->firstSample).to(m_data.train.targets.device());
    std::optional<Augmentation> augmentation;
    if (m_settings.augment != "none")
        augmentation = Augmentation{.flip = m_settings.augment != "crop",
                                    .crop = m_settings.augment != "flip",
                                    .seed = m_settings.seed,
                                    .epoch = m_progress.epoch};
    const auto make = [&](std::int64_t number) {
        const std::int64_t start = number * m_settings.batchSize;
        const std::int64_t length = std::min(m_settings.batchSize, indices.size(0) - start);
        return m_replica->maker.make(m_data.train, indices.narrow(0, start, length), augmentation);
    };
    BatchLoader<Batch> loader(make, m_progress.batch, m_replica->batchesPerEpoch, m_settings.loaderThreads,
                              computeAlone);
    const auto nextBatch = [&loader] { return *loader.next(); };
    while (m_progress.batch < m_replica->batchesPerEpoch) {
        const std::int64_t batches = std::min(m_settings.accumulate, m_replica->batchesPerEpoch - m_progress.batch);
        const EpochEnd end = trainStep(nextBatch, batches);
        if (end != EpochEnd::Finished)
            return end;
    }
    return EpochEnd::Finished;
}

Trainer::EpochEnd Trainer::trainStep(const std::function<Batch()> &nextBatch, std::int64_t batches)
{
    const double rate = m_replica->schedule.rate(m_progress.step);
    ++m_progress.step;
    const Stepper::Outcome outcome = m_replica->stepper.run(nextBatch, batches, rate, m_hooks.stopRequested());
    m_reporter.step(m_progress.step, outcome.figures);
    m_lastLoss = outcome.figures.loss;
    m_commOverlapSeconds += outcome.figures.commOverlapSeconds;
    m_commWaitSeconds += outcome.figures.commWaitSeconds;
    m_progress.batch += batches;
    if (!outcome.finite && handleNotFinite(outcome) == EpochEnd::NotFinite)
        return EpochEnd::NotFinite;
    if (outcome.finite)
        m_skippedInARow = 0;
    const auto every = [this](std::int64_t steps) { return steps > 0 && m_progress.step % steps == 0; };
    if (every(m_settings.checkEvery))
        requireEqualWeights("");
    if (outcome.stop)
        return EpochEnd::StopRequested;
    if (every(m_settings.checkpointEvery) && m_progress.batch < m_replica->batchesPerEpoch)
        saveCheckpoint(CheckpointKeeper::Saving::Always);
    return EpochEnd::Finished;
}

/// A step that is skipped now and then is a batch that is out of the ordinary; one after the other are weights that are
/// of no use any more.
Trainer::EpochEnd Trainer::handleNotFinite(const Stepper::Outcome &outcome)
{
    constexpr std::int64_t mostInARow = 20;
    const std::string sentence = notFiniteText(outcome, m_group.size()) + " at step " + std::to_string(m_progress.step);
    if (m_settings.nanPolicy == "fail")
        throw TrainingError(sentence);
    if (m_settings.nanPolicy == "stop") {
        warn(sentence + "; training stops");
        return EpochEnd::NotFinite;
    }
    if (++m_skippedInARow >= mostInARow)
        throw TrainingError(sentence + ", and " + std::to_string(mostInARow) + " steps in a row were skipped");
    warn(sentence + "; the step is skipped");
    return EpochEnd::Finished;
}

/// Reports an unshuffled order only once, because repeating it is intended. Skips very few samples, which may repeat
/// their order by chance.
void Trainer::reportOrder(const torch::Tensor &order)
{
    constexpr std::int64_t fewest = 16;
    const bool isReported = m_settings.sampling == "sequential" && std::exchange(m_orderReported, true);
    if (order.numel() >= fewest && m_progress.batch < m_replica->batchesPerEpoch && !isReported)
        m_reporter.sampleOrder(m_progress.step + 1, fingerprint({order}));
}

void Trainer::requireEqualWeights(const std::string &when)
{
    const WeightComparison weights = compareWeights(m_replica->network->parameters(), m_group);
    m_reporter.weightsHash(m_progress.step, weights.fingerprint);
    if (const auto &difference = weights.difference)
        throw TrainingError("after " + when + (when.empty() ? "step " : " (step ") + std::to_string(m_progress.step)
                            + (when.empty() ? " " : ") ") + *difference);
}

void Trainer::finishEpoch(double seconds)
{
    ++m_progress.epoch;
    m_progress.batch = 0;
    requireEqualWeights("epoch " + std::to_string(m_progress.epoch));
    std::string line = format("epoch %lld/%lld  step %lld  loss ", static_cast<long long>(m_progress.epoch),
                              static_cast<long long>(m_settings.epochs), static_cast<long long>(m_progress.step))
                       + figure(m_lastLoss);
    m_newBest = false;
    validate(line);
    m_reporter.event(feed::EventKind::Epoch, m_progress.step, "epoch " + std::to_string(m_progress.epoch));
    m_hooks.log(line + format("  %.2f s", seconds));
    saveCheckpoint(CheckpointKeeper::Saving::IfSomeTimePassed);
}

void Trainer::validate(std::string &line)
{
    if (m_data.sizes.validation == 0)
        return;
    m_replica->parallel.prepareForward();  // running statistics of rank 0 everywhere
    const Score score = evaluate(*m_replica->network, m_data.validation, m_data.task, m_replica->maker, m_group,
                                 m_settings.precision == "bf16", m_data.isPart, m_settings.batchSize);
    m_reporter.validation(m_progress.step, score);
    line += "  val_loss " + figure(score.loss);
    if (score.accuracy)
        line += "  val_accuracy " + figure(*score.accuracy);
    m_newBest = score.loss < m_progress.bestLoss;
    m_progress.epochsSinceBest = m_newBest ? 0 : m_progress.epochsSinceBest + 1;
    if (m_newBest)
        m_progress.bestLoss = score.loss;
}

void Trainer::test()
{
    if (m_data.sizes.test == 0)
        return;
    m_replica->parallel.prepareForward();
    const Score score = evaluate(*m_replica->network, m_data.test, m_data.task, m_replica->maker, m_group,
                                 m_settings.precision == "bf16", m_data.isPart, m_settings.batchSize);
    m_reporter.test(m_progress.step, score);
    std::string line = "test_loss " + figure(score.loss);
    if (score.accuracy)
        line += "  test_accuracy " + figure(*score.accuracy);
    m_hooks.log(line);
    if (!std::isfinite(score.loss))
        throw TrainingError("test_loss is " + std::string(std::isnan(score.loss) ? "nan" : "infinite") + " after step "
                            + std::to_string(m_progress.step));
}

void Trainer::resume()
{
    const std::string name = m_options.resumeFrom ? m_options.resumeFrom->string() : "the checkpoint";
    switch (m_keeper->resume(m_options.resumeFrom, m_progress)) {
    case CheckpointKeeper::Resumed::NothingThere:
        break;
    case CheckpointKeeper::Resumed::OfAnotherTrial:
        warn(name + " has another seed or number of ranks; training starts over");
        break;
    case CheckpointKeeper::Resumed::Yes:
        m_hooks.log("resumed from " + name + " after step " + std::to_string(m_progress.step));
        break;
    }
}

/// A checkpoint that cannot be written does not end the training.
void Trainer::saveCheckpoint(CheckpointKeeper::Saving saving)
{
    const std::optional<Expected<void>> saved = m_keeper->save(m_progress, std::exchange(m_newBest, false), saving);
    if (!saved)
        return;
    if (*saved)
        m_reporter.event(feed::EventKind::Checkpoint, m_progress.step, m_keeper->lastFile().string());
    else
        warn("no checkpoint at step " + std::to_string(m_progress.step) + ": " + saved->error().message);
}

void Trainer::warn(const std::string &text)
{
    m_reporter.event(feed::EventKind::Warning, m_progress.step, text);
    m_hooks.log("warning: " + text);
}

}  // namespace sweepscope::train
