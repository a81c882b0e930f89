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
#include <zlib.h>

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

/// "val_loss 0.4213  val_accuracy 0.9012"
std::string textOf(const std::string &set, const Score &score)
{
    std::string text = set + "_loss " + figure(score.loss);
    for (const auto &[name, value] : score.metrics)
        text += "  " + set + "_" + name + " " + figure(value);
    return text;
}

/// Of sizes and the first samples that are trained on: other data of the same sizes hardly begins with the same ones.
std::string dataFingerprint(const TrialData &data)
{
    constexpr std::int64_t some = 8;
    std::string text = std::to_string(data.sizes.train) + "/" + std::to_string(data.sizes.validation) + "/"
                       + std::to_string(data.sizes.test) + " of " + std::to_string(data.outputs);
    const Samples first = data.train.select(torch::arange(std::min(some, data.train.size()), torch::kInt64));
    for (const torch::Tensor &tensor : {first.inputs, first.targets}) {
        const torch::Tensor rows = tensor.contiguous();
        const uLong sum = crc32_z(0, static_cast<const Bytef *>(rows.data_ptr()), rows.nbytes());
        text += format(" %08lx", sum);
    }
    return text;
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
    m_tracer.emplace(m_options.traces, group.rank(), m_options.devices, reporter);
    if (!m_data.isPart)
        m_data.sizes = {m_data.train.size(), m_data.validation.size(), m_data.test.size()};
}

Trainer::~Trainer() = default;

void Trainer::prepare()
{
    if (m_data.moments.defined())
        m_data.normalisation = mergeMoments(m_group.gather(m_data.moments), m_data.train.inputs, m_data.kind);
    m_replica = std::make_unique<Replica>(m_settings, m_data, m_group, m_options.devices, m_options.figures);
    if (m_settings.sampling == "contiguous" && !m_data.isPart) {
        const Partition mine = contiguousPartition(m_data.train.size(), m_group.size(), m_group.rank());
        m_data.train = {m_data.train.inputs.narrow(0, mine.start, mine.size).clone(),
                        m_data.train.targets.narrow(0, mine.start, mine.size).clone()};
    }
    std::string fingerprintOfData = dataFingerprint(m_data);
    moveData();
    m_replica->network->train(true);
    const TrialIdentity trial{.seed = m_settings.seed,
                              .ranks = m_group.size(),
                              .settings = m_settings.texts,
                              .data = std::move(fingerprintOfData)};
    m_keeper.emplace(CheckpointKeeper::Subject{*m_replica->network, m_replica->optimizer, m_replica->average, m_group,
                                               m_options.devices, trial, m_settings.bestBy, m_settings.keepBest},
                     m_settings.checkpoints ? m_options.checkpoints : std::nullopt,
                     [this](std::int64_t step, const Expected<void> &result) { reportSaved(step, result); });
    resume();
    logStart();
}

/// Data that is used as it lies goes to the GPU once, if there is room; what the CPU prepares stays there, and so does
/// what lies in a file.
void Trainer::moveData()
{
    if (m_data.train.rows.defined())
        return;
    const torch::Device device = m_options.devices.front();
    std::uint64_t bytes = 0;
    for (const Samples *set : {&m_data.train, &m_data.validation, &m_data.test})
        bytes += set->size() > 0 ? set->inputs.nbytes() + set->targets.nbytes() : 0;
    if (device.is_cuda() && !fitsOnGpu(bytes, freeGpuMemory())) {
        m_hooks.log("the data stays in the CPU's memory: it takes " + std::to_string(bytes >> 20U)
                    + " MiB, and the GPU has " + std::to_string(freeGpuMemory() >> 20U) + " MiB free");
        return;
    }
    if (m_settings.augment == "none" && m_settings.loaderThreads == 0)
        m_data.train = m_data.train.to(device);
    m_data.validation = m_data.validation.to(device);
    m_data.test = m_data.test.to(device);
}

TrainingEnd Trainer::run()
{
    prepare();
    bool goOn = hasImproved() && !isLastStep();
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
            goOn = hasImproved() && !isLastStep();
        }
    }
    if (!hasImproved())
        m_hooks.log(format("%s has not improved for %lld %s; training stops", m_settings.bestBy.c_str(),
                           static_cast<long long>(m_settings.earlyStop),
                           m_settings.valEvery > 0 ? "validations" : "epochs"));
    if (m_validatedStep < m_progress.step && m_skippedInARow == 0)
        validateNow();
    saveCheckpoint(CheckpointKeeper::Saving::Always);
    logOverlap();
    test();
    return TrainingEnd::Completed;
}

bool Trainer::isLastStep() const
{
    return m_settings.maxSteps > 0 && m_progress.step >= m_settings.maxSteps;
}

/// Steps up to here with the present number of ranks and batches: a resumed trial may have counted others.
std::int64_t Trainer::placeInTraining() const
{
    return m_progress.epoch * m_replica->stepsPerEpoch + m_progress.batch / m_settings.accumulate;
}

bool Trainer::hasImproved() const
{
    return m_settings.earlyStop == 0 || m_progress.sinceBest < m_settings.earlyStop;
}

void Trainer::finishCheckpoints()
{
    if (m_keeper)
        m_keeper->finish();
}

void Trainer::logStart()
{
    m_reporter.total(m_progress.step + std::max<std::int64_t>(0, m_replica->steps - placeInTraining()));
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

/// What was written to a mapped file is trained on as if it had been there before.
void Trainer::requireUnchangedFile() const
{
    const Samples &train = m_data.train;
    std::error_code error;
    if (!train.file.empty() && std::filesystem::last_write_time(train.file, error) != train.changed && !error)
        throw TrainingError(train.file.string() + " was changed while it was mapped (in_memory = false)");
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
    const double rate = m_replica->schedule.rate(placeInTraining());
    ++m_progress.step;
    m_tracer->beginStep(m_progress.step);
    const auto outcome = m_replica->stepper.run(m_progress.step, nextBatch, batches, rate, m_hooks.stopRequested());
    m_replica->average.update();
    m_tracer->endStep();
    m_progress.batch += batches;
    EpochEnd end = outcome ? take(*outcome) : EpochEnd::Finished;
    const auto every = [this](std::int64_t steps) { return steps > 0 && m_progress.step % steps == 0; };
    const bool isInEpoch = m_progress.batch < m_replica->batchesPerEpoch;
    const bool isPause = end != EpochEnd::Finished || !isInEpoch || isLastStep() || every(m_settings.checkEvery)
                         || every(m_settings.valEvery) || every(m_settings.checkpointEvery);
    if (isPause) {
        if (const auto last = m_replica->stepper.finish()) {
            const EpochEnd endOfLast = take(*last);
            end = end == EpochEnd::Finished ? endOfLast : end;
        }
    }
    if (end == EpochEnd::NotFinite)
        return end;
    if (every(m_settings.checkEvery))
        requireEqualWeights("");
    if (end == EpochEnd::StopRequested)
        return end;
    if (every(m_settings.valEvery)) {
        validateNow();
        if (isInEpoch && m_newBest)
            saveCheckpoint(CheckpointKeeper::Saving::IfSomeTimePassed);
    }
    if (every(m_settings.checkpointEvery) && isInEpoch)
        saveCheckpoint(CheckpointKeeper::Saving::Always);
    if (isInEpoch && (isLastStep() || !hasImproved()))
        return EpochEnd::LastStep;
    return EpochEnd::Finished;
}

/// Reports a step, and says whether training goes on after it.
Trainer::EpochEnd Trainer::take(const Stepper::Outcome &outcome)
{
    m_reporter.step(outcome.step, outcome.figures);
    m_lastLoss = outcome.figures.loss;
    m_commOverlapSeconds += outcome.figures.commOverlapSeconds;
    m_commWaitSeconds += outcome.figures.commWaitSeconds;
    if (outcome.finite)
        m_skippedInARow = 0;
    else if (handleNotFinite(outcome) == EpochEnd::NotFinite)
        return EpochEnd::NotFinite;
    return outcome.stop ? EpochEnd::StopRequested : EpochEnd::Finished;
}

/// A step that is skipped now and then is a batch that is out of the ordinary; one after the other are weights that are
/// of no use any more.
Trainer::EpochEnd Trainer::handleNotFinite(const Stepper::Outcome &outcome)
{
    constexpr std::int64_t mostInARow = 20;
    const std::string sentence = notFiniteText(outcome, m_group.size()) + " at step " + std::to_string(outcome.step);
    if (m_settings.nanPolicy == "fail")
        throw TrainingError(sentence);
    if (m_settings.nanPolicy == "stop") {
        warn(sentence + "; training stops", outcome.step);
        return EpochEnd::NotFinite;
    }
    if (++m_skippedInARow >= mostInARow)
        throw TrainingError(sentence + ", and " + std::to_string(mostInARow) + " steps in a row were skipped");
    warn(sentence + "; the step is skipped", outcome.step);
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
    if (m_settings.valEvery == 0)
        line += validate();
    m_reporter.event(feed::EventKind::Epoch, m_progress.step, "epoch " + std::to_string(m_progress.epoch));
    m_hooks.log(line + format("  %.2f s", seconds));
    saveCheckpoint(CheckpointKeeper::Saving::IfSomeTimePassed);
}

/// Between epochs, or at the end.
void Trainer::validateNow()
{
    if (m_data.sizes.validation > 0)
        m_hooks.log(format("step %lld", static_cast<long long>(m_progress.step)) + validate());
}

/// Returns what is to be said of it.
std::string Trainer::validate()
{
    m_validatedStep = m_progress.step;
    if (m_data.sizes.validation == 0)
        return {};
    m_replica->parallel.prepareForward();  // running statistics of rank 0 everywhere
    const Score score = scoreOn(m_data.validation);
    m_reporter.validation(m_progress.step, score);
    rank(decisiveScore(score));
    return "  " + textOf("val", score);
}

Score Trainer::scoreOn(const Samples &set)
{
    requireUnchangedFile();
    const AveragedWeights averaged(m_replica->average, *m_replica->network);
    return evaluate(*m_replica->network, set, m_data, m_replica->maker, m_group, m_settings.precision == "bf16",
                    m_settings.batchSize);
}

/// Throws TrainingError if these samples have no such score.
double Trainer::decisiveScore(const Score &score) const
{
    if (m_settings.bestBy == "val_loss")
        return score.loss;
    std::string known = "val_loss";
    for (const auto &[name, value] : score.metrics) {
        if (m_settings.bestBy == "val_" + name)
            return value;
        known += ", val_" + name;
    }
    throw TrainingError("best_by: " + m_settings.bestBy
                        + " does not exist for these validation samples; available: " + known);
}

void Trainer::rank(double score)
{
    const bool smaller = isSmallerBetter(m_settings.bestBy);
    const std::optional<double> best = m_progress.bestScore;
    const bool isBest = !std::isnan(score) && (!best || (smaller ? score < *best : score > *best));
    m_progress.sinceBest = isBest ? 0 : m_progress.sinceBest + 1;
    if (isBest)
        m_progress.bestScore = score;
    m_newBest = m_keeper->isAmongBest(m_progress.step, score);
}

void Trainer::test()
{
    if (m_data.sizes.test == 0)
        return;
    m_replica->parallel.prepareForward();
    const Score score = scoreOn(m_data.test);
    m_reporter.test(m_progress.step, score);
    m_hooks.log(textOf("test", score));
    if (!std::isfinite(score.loss))
        throw TrainingError("test_loss is " + std::string(std::isnan(score.loss) ? "nan" : "infinite") + " after step "
                            + std::to_string(m_progress.step));
}

void Trainer::resume()
{
    const CheckpointKeeper::Resumed resumed = m_keeper->resume(m_options.resumeFrom, m_progress);
    const bool isThere = resumed.continues || !resumed.differences.empty();
    if (m_options.mustResume && !isThere && !resumed.damaged.empty())
        throw TrainingError(resumed.damaged.front());
    for (const std::string &damaged : resumed.damaged)
        warn(damaged + (isThere ? "; an earlier checkpoint is used" : "; training starts over"));
    const std::string name = resumed.file.empty() ? "the checkpoint" : resumed.file.string();
    const std::string differences = resumed.differences.empty() ? "" : " (" + resumed.differences + ")";
    m_validatedStep = m_progress.step;
    if (resumed.continues)
        m_hooks.log("resumed from " + name + " after step " + std::to_string(m_progress.step) + differences);
    else if (isThere)
        warn(name + " does not fit the settings" + differences + "; training starts over");
}

void Trainer::saveCheckpoint(CheckpointKeeper::Saving saving)
{
    m_keeper->save(m_progress, std::exchange(m_newBest, false), saving);
}

/// A checkpoint that cannot be written does not end the training. Called by the thread that writes.
void Trainer::reportSaved(std::int64_t step, const Expected<void> &result)
{
    if (result)
        m_reporter.event(feed::EventKind::Checkpoint, step, m_keeper->lastFile().string());
    else
        warn("no checkpoint at step " + std::to_string(step) + ": " + result.error().message, step);
}

void Trainer::warn(const std::string &text, std::int64_t step)
{
    m_reporter.event(feed::EventKind::Warning, step, text);
    m_hooks.log("warning: " + text);
}

}  // namespace sweepscope::train
