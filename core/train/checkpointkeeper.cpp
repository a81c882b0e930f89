#include "train/checkpointkeeper.h"

#include "base/files.h"
#include "train/randomstate.h"
#include "train/resumerules.h"
#include "train/safetensors.h"
#include "train/trainingerror.h"

#include <algorithm>
#include <memory>
#include <torch/torch.h>
#include <utility>

namespace sweepscope::train {

namespace {

using Clock = std::chrono::steady_clock;

/// Small trials have epochs of milliseconds; writing a file durably takes longer.
constexpr std::chrono::seconds betweenSaves{2};
constexpr std::uint64_t maxCheckpointBytes = std::uint64_t{64} << 30U;

std::span<const std::uint8_t> bytesOf(const std::string &text)
{
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

/// Rank 0's bytes on every rank, so that what they say cannot differ.
std::string shared(std::string bytes, ProcessGroup &group)
{
    torch::Tensor length = torch::full({1}, static_cast<std::int64_t>(bytes.size()), torch::kInt64);
    group.broadcast(length, 0);
    if (length.item<std::int64_t>() == 0)
        return {};
    bytes.resize(static_cast<std::size_t>(length.item<std::int64_t>()));
    torch::Tensor content = torch::from_blob(bytes.data(), {static_cast<std::int64_t>(bytes.size())}, torch::kUInt8);
    group.broadcast(content, 0);
    return bytes;
}

std::vector<NamedTensor> weightsAndBuffers(const Network &network)
{
    std::vector<NamedTensor> all = network.parameters();
    const std::vector<NamedTensor> buffers = network.buffers();
    all.insert(all.end(), buffers.begin(), buffers.end());
    return all;
}

/// Of the CPU, with values that training does not change any more.
torch::Tensor copyOf(const torch::Tensor &tensor)
{
    return tensor.detach().to(torch::kCPU, tensor.scalar_type(), /*non_blocking=*/false, /*copy=*/true).contiguous();
}

c10::IValue copyOf(const c10::IValue &value)
{
    if (value.isTensor())
        return copyOf(value.toTensor());
    if (value.isGenericDict()) {
        const c10::impl::GenericDict from = value.toGenericDict();
        c10::impl::GenericDict copy(from.keyType(), c10::AnyType::get());
        for (const auto &item : from)
            copy.insert(item.key(), copyOf(item.value()));
        return copy;
    }
    return value;  // what else a state_dict consists of is made anew each time
}

std::vector<NamedTensor> copyOf(const std::vector<NamedTensor> &tensors)
{
    std::vector<NamedTensor> copies;
    for (const NamedTensor &item : tensors)
        copies.push_back({item.name, copyOf(item.tensor)});
    return copies;
}

}  // namespace

CheckpointKeeper::CheckpointKeeper(Subject subject, std::optional<CheckpointFolder> folder, Written written)
    : m_subject(std::move(subject)),
      m_folder(std::move(folder)),
      m_written(std::move(written)),
      m_best(m_subject.keepBest, isSmallerBetter(m_subject.bestBy))
{}

/// The first that is whole; empty without one.
std::string CheckpointKeeper::readFirst(const std::vector<std::filesystem::path> &files, Resumed &resumed) const
{
    for (const std::filesystem::path &file : files) {
        Expected<std::string> bytes = readFile(file, maxCheckpointBytes);
        const auto checked =
            bytes ? readCheckpoint(bytesOf(*bytes)) : Expected<Checkpoint>(tl::unexpected(bytes.error()));
        if (checked) {
            resumed.file = file;
            return std::move(*bytes);
        }
        resumed.damaged.push_back(bytes ? file.string() + " " + checked.error().message : checked.error().message);
    }
    return {};
}

CheckpointKeeper::Resumed CheckpointKeeper::resume(const std::vector<std::filesystem::path> &files, Progress &progress)
{
    Resumed resumed;
    const bool reads = m_subject.group.rank() == 0;
    const std::string bytes = shared(reads ? readFirst(files, resumed) : std::string(), m_subject.group);
    if (bytes.empty())
        return resumed;
    const Expected<Checkpoint> checkpoint = readCheckpoint(bytesOf(bytes));
    if (!checkpoint)
        throw TrainingError("the checkpoint " + checkpoint.error().message);
    const Continuation continuation = continuationOf(checkpoint->trial, checkpoint->progress.batch, m_subject.trial);
    resumed.differences = continuation.differences;
    if (continuation.startsOver)
        return resumed;
    restore(*checkpoint);
    progress = checkpoint->progress;
    progress.batch = continuation.batch;
    if (continuation.ranksWeightsAnew) {
        progress.bestScore.reset();
        progress.sinceBest = 0;
    } else {
        for (const BestWeights::Kept &kept : checkpoint->best)
            m_best.add(kept.step, kept.score);
    }
    resumed.continues = true;
    if (reads)
        copyBestFrom(resumed.file);
    return resumed;
}

void CheckpointKeeper::restore(const Checkpoint &checkpoint)
{
    const torch::NoGradGuard noGrad;
    std::vector<NamedTensor> own = weightsAndBuffers(m_subject.network);
    if (own.size() != checkpoint.model.size())
        throw TrainingError("the checkpoint is from another model");
    for (std::size_t i = 0; i < own.size(); ++i) {
        const NamedTensor &saved = checkpoint.model[i];
        if (saved.name != own[i].name || saved.tensor.sizes() != own[i].tensor.sizes())
            throw TrainingError("the checkpoint is from another model: it has " + saved.name + " where this model has "
                                + own[i].name + ", or in another shape");
        own[i].tensor.copy_(saved.tensor);
    }
    m_subject.network.weightsChanged();
    m_subject.average.setAverage(checkpoint.average);
    m_subject.optimizer.loadStateDict(checkpoint.optimizer);
    const auto rank = static_cast<std::size_t>(m_subject.group.rank());
    if (checkpoint.random.size() == static_cast<std::size_t>(m_subject.group.size()))
        setRandomState(checkpoint.random[rank], m_subject.devices);
    else  // of another number of ranks: numbers that none of them has drawn
        torch::manual_seed(m_subject.trial.seed + rank
                           + static_cast<std::uint64_t>(checkpoint.progress.step) * 0x9e3779b97f4a7c15ULL);
}

/// A trial resumed in another folder keeps the score of its best weights, so the weights must be in that folder too.
/// Failing to copy them does not end the training.
void CheckpointKeeper::copyBestFrom(const std::filesystem::path &file) const
{
    if (!m_folder)
        return;
    const CheckpointFolder from(file.parent_path());
    const auto copy = [](const std::filesystem::path &source, const std::filesystem::path &target,
                         const std::function<Expected<void>(const CheckpointFolder::Write &write)> &write) {
        std::error_code error;
        if (!std::filesystem::exists(source, error) || std::filesystem::exists(target, error))
            return;
        if (const Expected<std::string> bytes = readFile(source, maxCheckpointBytes))
            static_cast<void>(write([&bytes](const ByteSink &sink) { sink(bytes->data(), bytes->size()); }));
    };
    copy(from.best(), m_folder->best(), [this](const auto &write) { return m_folder->writeBest(write); });
    for (const auto &kept : m_best.kept()) {
        copy(from.best(kept.step), m_folder->best(kept.step),
             [this, step = kept.step](const auto &write) { return m_folder->writeBest(step, write); });
    }
}

CheckpointKeeper::Best CheckpointKeeper::bestOf(const Progress &progress) const
{
    std::vector<NamedTensor> weights = weightsAndBuffers(m_subject.network);
    const std::vector<NamedTensor> average = m_subject.average.average();
    std::copy(average.begin(), average.end(), weights.begin());
    const auto &kept = m_best.kept();
    const auto own = std::ranges::find(kept, progress.step, &BestWeights::Kept::step);
    return {.step = progress.step,
            .weights = copyOf(weights),
            .metadata = {{"format", "pt"},
                         {"step", std::to_string(progress.step)},
                         {"epoch", std::to_string(progress.epoch)},
                         {m_subject.bestBy, own != kept.end() ? std::to_string(own->score) : ""}}};
}

void CheckpointKeeper::save(const Progress &progress, bool isAmongBest, Saving saving)
{
    if (!m_folder)
        return;
    std::vector<torch::Tensor> random = m_subject.group.gather(randomState(m_subject.devices));
    if (m_subject.group.rank() != 0)
        return;
    const bool isWriting =
        m_writing.valid() && m_writing.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    const bool now = saving == Saving::Always || (!isWriting && Clock::now() - m_lastSave >= betweenSaves);
    if (isAmongBest) {
        m_unsaved.push_back(bestOf(progress));
        std::erase_if(m_unsaved, [this](const Best &best) { return !m_best.contains(best.step); });
    }
    if (!now)
        return;
    finish();
    m_lastSave = Clock::now();
    Checkpoint checkpoint{.progress = progress,
                          .trial = m_subject.trial,
                          .model = copyOf(weightsAndBuffers(m_subject.network)),
                          .best = m_best.kept(),
                          .average = copyOf(m_subject.average.average()),
                          .optimizer = copyOf(m_subject.optimizer.stateDict()),
                          .random = std::move(random)};
    m_writing = std::async(std::launch::async,
                           [this, checkpoint = std::move(checkpoint), unsaved = std::exchange(m_unsaved, {})] {
                               m_written(checkpoint.progress.step, write(checkpoint, unsaved));
                           });
}

void CheckpointKeeper::finish()
{
    if (m_writing.valid())
        m_writing.get();
}

/// The best ones first: the last one already records their scores, so they would not be saved again.
Expected<void> CheckpointKeeper::write(const Checkpoint &checkpoint, const std::vector<Best> &unsaved) const
{
    if (!unsaved.empty()) {
        if (Expected<void> written = writeBest(checkpoint, unsaved); !written)
            return written;
    }
    return m_folder->writeLast([&checkpoint](const ByteSink &sink) { writeCheckpoint(checkpoint, sink); });
}

/// An attempt that kept one alone has it as best.safetensors.
void CheckpointKeeper::giveBestItsOwnName(const std::vector<BestWeights::Kept> &kept,
                                          const std::vector<Best> &unsaved) const
{
    for (const BestWeights::Kept &one : kept) {
        std::error_code error;
        const bool isUnsaved = std::ranges::find(unsaved, one.step, &Best::step) != unsaved.end();
        if (!isUnsaved && !std::filesystem::exists(m_folder->best(one.step), error))
            std::filesystem::copy_file(m_folder->best(), m_folder->best(one.step), error);
    }
}

Expected<void> CheckpointKeeper::writeBest(const Checkpoint &checkpoint, const std::vector<Best> &unsaved) const
{
    if (m_subject.keepBest > 1)
        giveBestItsOwnName(checkpoint.best, unsaved);
    for (const Best &best : unsaved) {
        const auto write = [&best](const ByteSink &sink) { writeSafetensors(best.weights, best.metadata, sink); };
        Expected<void> written =
            m_subject.keepBest == 1 ? m_folder->writeBest(write) : m_folder->writeBest(best.step, write);
        if (!written)
            return written;
    }
    const bool keepsOne = m_subject.keepBest == 1;  // as best.safetensors; an earlier attempt may have kept more
    for (const std::int64_t step : m_folder->bestSteps()) {
        std::error_code error;
        if (keepsOne || std::ranges::find(checkpoint.best, step, &BestWeights::Kept::step) == checkpoint.best.end())
            std::filesystem::remove(m_folder->best(step), error);
    }
    return keepsOne ? Expected<void>() : m_folder->nameBest(checkpoint.best.front().step);
}

}  // namespace sweepscope::train
