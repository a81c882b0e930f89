#include "train/trainer.h"

#include "base/files.h"
#include "train/batch.h"
#include "train/batchloader.h"
#include "train/blas.h"
#include "train/data/sampleorder.h"
#include "train/evaluation.h"
#include "train/model.h"
#include "train/optimizer.h"
#include "train/parallel/distributeddataparallel.h"
#include "train/parallel/weighthash.h"
#include "train/randomstate.h"
#include "train/schedule.h"
#include "train/stepper.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

using Clock = std::chrono::steady_clock;

/// Small trials have epochs of milliseconds; writing a file durably takes longer.
constexpr std::chrono::seconds betweenSaves{2};
constexpr std::uint64_t maxCheckpointBytes = std::uint64_t{64} << 30U;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

template <typename... Values>
std::string format(const char *pattern, Values... values)
{
    char text[256];
    std::snprintf(text, sizeof text, pattern, values...);
    return text;
}

std::int64_t divideUp(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

std::unique_ptr<Network> seededNetwork(const TrainSettings &settings, const TrialData &data,
                                       const std::vector<torch::Device> &devices, int rank)
{
    std::unique_ptr<Network> network = makeNetwork(settings, shapeOf(data), devices);
    // Ranks drop different activations: their batches differ, their noise should too.
    torch::manual_seed(settings.seed + static_cast<std::uint64_t>(rank));
    return network;
}

DistributedDataParallel::Options parallelOptions(const TrainSettings &settings)
{
    DistributedDataParallel::Options options;
    options.limits.others = static_cast<std::int64_t>(settings.bucketMb * 1024 * 1024);
    options.limits.first = std::min(options.limits.first, options.limits.others);
    options.findUnused = settings.findUnused;
    return options;
}

}  // namespace

struct Trainer::Replica {
    std::unique_ptr<Network> network;
    DistributedDataParallel parallel;
    std::unique_ptr<torch::optim::Optimizer> optimizer;
    SampleOrder order;
    std::int64_t batchesPerEpoch;
    std::int64_t stepsPerEpoch;
    Schedule schedule;
    BatchMaker maker;
    Stepper stepper;
    std::int64_t firstSample;  ///< of the training part, that this rank holds

    Replica(const TrainSettings &settings, const TrialData &data, ProcessGroup &group,
            const std::vector<torch::Device> &devices)
        : network(seededNetwork(settings, data, devices, group.rank())),
          parallel(network->parameters(), network->buffers(), group, parallelOptions(settings)),
          optimizer(makeOptimizer(settings, tensorsOf(network->parameters()))),
          order(settings, data.train.size(), group.size(), group.rank(), data.train.targets),
          batchesPerEpoch(divideUp(order.size(), settings.batchSize)),
          stepsPerEpoch(divideUp(batchesPerEpoch, settings.accumulate)),
          schedule(settings, stepsPerEpoch),
          maker(data.kind, data.normalisation, devices.front()),
          stepper(settings, data.task, *network, parallel, *optimizer),
          firstSample(settings.sampling == "contiguous"
                          ? contiguousPartition(data.train.size(), group.size(), group.rank()).start
                          : 0)
    {}
};

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
}

Trainer::~Trainer() = default;

TrainingEnd Trainer::run()
{
    m_trainingSamples = m_data.train.size();
    m_replica = std::make_unique<Replica>(m_settings, m_data, m_group, m_options.devices);
    if (m_settings.sampling == "contiguous") {
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
    resume();
    sayStart();

    const auto stillBetter = [this] {
        return m_settings.earlyStop == 0 || m_progress.epochsSinceBest < m_settings.earlyStop;
    };
    bool goOn = stillBetter();
    while (goOn && m_progress.epoch < m_settings.epochs) {
        const Clock::time_point start = Clock::now();
        const EpochEnd end = trainEpoch();
        if (end == EpochEnd::StopRequested) {
            saveCheckpoint(true);
            return TrainingEnd::Stopped;
        }
        goOn = end == EpochEnd::Finished;
        if (goOn) {
            finishEpoch(secondsSince(start));
            goOn = stillBetter();
            if (!goOn)
                m_hooks.log(format("no better val_loss for %lld epochs: training ends here",
                                   static_cast<long long>(m_settings.earlyStop)));
        }
    }
    saveCheckpoint(true);
    sayOverlap();
    test();
    m_group.barrier();
    return TrainingEnd::Completed;
}

void Trainer::sayStart()
{
    m_reporter.total(m_replica->stepsPerEpoch * m_settings.epochs);
    m_hooks.log(format("%lld training, %lld validation, %lld test samples; %lld epochs of %lld steps",
                       static_cast<long long>(m_trainingSamples), static_cast<long long>(m_data.validation.size()),
                       static_cast<long long>(m_data.test.size()), static_cast<long long>(m_settings.epochs),
                       static_cast<long long>(m_replica->stepsPerEpoch)));
}

void Trainer::sayOverlap()
{
    const double whole = m_commOverlapSeconds + m_commWaitSeconds;
    if (m_group.size() > 1 && whole > 0)
        m_hooks.log(format("communication: %.0f %% of %.2f s hidden behind backward, %.2f s waited for",
                           100 * m_commOverlapSeconds / whole, whole, m_commWaitSeconds));
}

Trainer::EpochEnd Trainer::trainEpoch()
{
    const torch::Tensor indices =
        (m_replica->order.epoch(m_progress.epoch) - m_replica->firstSample).to(m_data.train.targets.device());
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
    if (!outcome.finite) {
        const std::string what = std::isnan(m_lastLoss)                        ? "loss is nan"
                                 : std::isinf(m_lastLoss)                      ? "loss is infinite"
                                 : std::isfinite(outcome.figures.gradientNorm) ? "loss of another rank is not finite"
                                                                               : "gradients are not finite";
        const std::string sentence = what + " at step " + std::to_string(m_progress.step);
        if (m_settings.nanPolicy == "fail")
            throw TrainingError(sentence);
        warn(sentence + (m_settings.nanPolicy == "skip" ? ": the step is left out" : ": training ends here"));
        if (m_settings.nanPolicy == "stop")
            return EpochEnd::NotFinite;
    }
    const auto every = [this](std::int64_t steps) { return steps > 0 && m_progress.step % steps == 0; };
    if (every(m_settings.checkEvery))
        requireEqualWeights("");
    if (outcome.stop)
        return EpochEnd::StopRequested;
    if (every(m_settings.checkpointEvery) && m_progress.batch < m_replica->batchesPerEpoch)
        saveCheckpoint(true);
    return EpochEnd::Finished;
}

void Trainer::requireEqualWeights(const std::string &when)
{
    if (const auto difference = findWeightDifference(m_replica->network->parameters(), m_group))
        throw TrainingError("after " + when + (when.empty() ? "step " : " (step ") + std::to_string(m_progress.step)
                            + (when.empty() ? " " : ") ") + *difference);
}

void Trainer::finishEpoch(double seconds)
{
    ++m_progress.epoch;
    m_progress.batch = 0;
    requireEqualWeights("epoch " + std::to_string(m_progress.epoch));
    std::string line =
        format("epoch %lld/%lld  step %lld  loss %.4f", static_cast<long long>(m_progress.epoch),
               static_cast<long long>(m_settings.epochs), static_cast<long long>(m_progress.step), m_lastLoss);
    m_newBest = false;
    validate(line);
    m_reporter.event(feed::EventKind::Epoch, m_progress.step, "epoch " + std::to_string(m_progress.epoch));
    m_hooks.log(line + format("  %.2f s", seconds));
    saveCheckpoint(false);
}

void Trainer::validate(std::string &line)
{
    if (m_data.validation.size() == 0)
        return;
    m_replica->parallel.prepareForward();  // running statistics of rank 0 everywhere
    const Score score = evaluate(*m_replica->network, m_data.validation, m_data.task, m_replica->maker, m_group,
                                 m_settings.precision == "bf16");
    m_reporter.validation(m_progress.step, score);
    line += format("  val_loss %.4f", score.loss);
    if (score.accuracy)
        line += format("  val_accuracy %.4f", *score.accuracy);
    m_newBest = score.loss < m_progress.bestLoss;
    m_progress.epochsSinceBest = m_newBest ? 0 : m_progress.epochsSinceBest + 1;
    if (m_newBest)
        m_progress.bestLoss = score.loss;
}

void Trainer::test()
{
    if (m_data.test.size() == 0)
        return;
    m_replica->parallel.prepareForward();
    const Score score = evaluate(*m_replica->network, m_data.test, m_data.task, m_replica->maker, m_group,
                                 m_settings.precision == "bf16");
    m_reporter.test(m_progress.step, score);
    std::string line = format("test_loss %.4f", score.loss);
    if (score.accuracy)
        line += format("  test_accuracy %.4f", *score.accuracy);
    m_hooks.log(line);
}

/// Rank 0 reads the file; all take what it says, so that they cannot differ.
void Trainer::resume()
{
    std::string bytes;
    if (m_group.rank() == 0 && m_options.resumeFrom) {
        const Expected<std::string> read = readFile(*m_options.resumeFrom, maxCheckpointBytes);
        if (!read)
            throw TrainingError(read.error().message);
        bytes = *read;
    }
    torch::Tensor length = torch::full({1}, static_cast<std::int64_t>(bytes.size()), torch::kInt64);
    m_group.broadcast(length, 0);
    if (length.item<std::int64_t>() == 0)
        return;
    bytes.resize(static_cast<std::size_t>(length.item<std::int64_t>()));
    torch::Tensor content = torch::from_blob(bytes.data(), {static_cast<std::int64_t>(bytes.size())}, torch::kUInt8);
    m_group.broadcast(content, 0);
    const Expected<Checkpoint> checkpoint = unpackCheckpoint(bytes);
    const std::string name = m_options.resumeFrom ? m_options.resumeFrom->string() : "the checkpoint";
    if (!checkpoint)
        throw TrainingError(name + " " + checkpoint.error().message);
    if (checkpoint->seed != m_settings.seed || static_cast<int>(checkpoint->random.size()) != m_group.size()) {
        warn(name + " is of another seed or number of ranks: training starts anew");
        return;
    }
    restore(*checkpoint);
    m_hooks.log("resumed from " + name + " after step " + std::to_string(m_progress.step));
}

void Trainer::restore(const Checkpoint &checkpoint)
{
    const torch::NoGradGuard noGrad;
    std::vector<NamedTensor> own = m_replica->network->parameters();
    const std::vector<NamedTensor> buffers = m_replica->network->buffers();
    own.insert(own.end(), buffers.begin(), buffers.end());
    if (own.size() != checkpoint.model.size())
        throw TrainingError("the checkpoint is of another model");
    for (std::size_t i = 0; i < own.size(); ++i) {
        const NamedTensor &saved = checkpoint.model[i];
        if (saved.name != own[i].name || saved.tensor.sizes() != own[i].tensor.sizes())
            throw TrainingError("the checkpoint is of another model: it holds " + saved.name + " where this one has "
                                + own[i].name);
        own[i].tensor.copy_(saved.tensor);
    }
    m_replica->network->weightsChanged();
    std::string bytes(static_cast<const char *>(checkpoint.optimizer.data_ptr()),
                      static_cast<std::size_t>(checkpoint.optimizer.numel()));
    std::istringstream stream(bytes);
    torch::load(*m_replica->optimizer, stream);
    setRandomState(checkpoint.random[static_cast<std::size_t>(m_group.rank())], m_options.devices.front());
    m_progress = checkpoint.progress;
}

Checkpoint Trainer::snapshot()
{
    Checkpoint checkpoint;
    checkpoint.progress = m_progress;
    checkpoint.seed = m_settings.seed;
    checkpoint.model = m_replica->network->parameters();
    for (const NamedTensor &buffer : m_replica->network->buffers())
        checkpoint.model.push_back(buffer);
    checkpoint.random = m_group.gather(randomState(m_options.devices.front()));
    std::ostringstream stream;
    torch::save(*m_replica->optimizer, stream);
    const std::string bytes = stream.str();
    checkpoint.optimizer = torch::empty({static_cast<std::int64_t>(bytes.size())}, torch::kUInt8);
    std::copy(bytes.begin(), bytes.end(), static_cast<char *>(checkpoint.optimizer.data_ptr()));
    return checkpoint;
}

/// All ranks take part, rank 0 writes. A checkpoint that cannot be written does not end the training.
void Trainer::saveCheckpoint(bool evenIfJustSaved)
{
    if (!m_settings.checkpoints || !m_options.checkpoints)
        return;
    const Checkpoint checkpoint = snapshot();
    const bool best = std::exchange(m_newBest, false);
    if (m_group.rank() != 0)
        return;
    const bool write = evenIfJustSaved || Clock::now() - m_lastSave >= betweenSaves;
    if (!write && !best)
        return;
    std::string bytes = packCheckpoint(checkpoint);
    if (best)
        m_unsavedBest = bytes;
    if (!write)
        return;
    const CheckpointFolder &folder = *m_options.checkpoints;
    Expected<void> written = folder.write(folder.last(), bytes);
    if (written && !m_unsavedBest.empty())
        written = folder.write(folder.best(), std::exchange(m_unsavedBest, {}));
    m_lastSave = Clock::now();
    if (written)
        m_reporter.event(feed::EventKind::Checkpoint, m_progress.step, folder.last().string());
    else
        warn("no checkpoint at step " + std::to_string(m_progress.step) + ": " + written.error().message);
}

void Trainer::warn(const std::string &text)
{
    m_reporter.event(feed::EventKind::Warning, m_progress.step, text);
    m_hooks.log("warning: " + text);
}

}  // namespace sweepscope::train
