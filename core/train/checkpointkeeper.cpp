#include "train/checkpointkeeper.h"

#include "base/files.h"
#include "train/randomstate.h"
#include "train/resumerules.h"
#include "train/safetensors.h"
#include "train/trainingerror.h"

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
    std::error_code error;
    const std::filesystem::path best = CheckpointFolder(file.parent_path()).best();
    if (!m_folder || !std::filesystem::exists(best, error) || std::filesystem::exists(m_folder->best(), error))
        return;
    if (const Expected<std::string> bytes = readFile(best, maxCheckpointBytes))
        static_cast<void>(m_folder->writeBest([&bytes](const ByteSink &sink) { sink(bytes->data(), bytes->size()); }));
}

void CheckpointKeeper::save(const Progress &progress, bool best, Saving saving)
{
    if (!m_folder)
        return;
    std::vector<torch::Tensor> random = m_subject.group.gather(randomState(m_subject.devices));
    if (m_subject.group.rank() != 0)
        return;
    const bool isWriting =
        m_writing.valid() && m_writing.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    const bool now = saving == Saving::Always || (!isWriting && Clock::now() - m_lastSave >= betweenSaves);
    if (!now && !best)
        return;
    if (now)
        finish();
    std::vector<NamedTensor> weights = copyOf(weightsAndBuffers(m_subject.network));
    if (best)
        m_unsavedBest = Best{weights,
                             {{"format", "pt"},
                              {"step", std::to_string(progress.step)},
                              {"epoch", std::to_string(progress.epoch)},
                              {"val_loss", std::to_string(progress.bestLoss)}}};
    if (!now)
        return;
    m_lastSave = Clock::now();
    Checkpoint checkpoint{.progress = progress,
                          .trial = m_subject.trial,
                          .model = std::move(weights),
                          .optimizer = copyOf(m_subject.optimizer.stateDict()),
                          .random = std::move(random)};
    m_writing = std::async(std::launch::async, [this, checkpoint = std::move(checkpoint),
                                                best = std::exchange(m_unsavedBest, std::nullopt)] {
        m_written(checkpoint.progress.step, write(checkpoint, best));
    });
}

void CheckpointKeeper::finish()
{
    if (m_writing.valid())
        m_writing.get();
}

Expected<void> CheckpointKeeper::write(const Checkpoint &checkpoint, const std::optional<Best> &best) const
{
    // The best one first: the last one already records its score, so it would not be saved again.
    if (best) {
        Expected<void> written = m_folder->writeBest(
            [&best](const ByteSink &sink) { writeSafetensors(best->weights, best->metadata, sink); });
        if (!written)
            return written;
    }
    return m_folder->writeLast([&checkpoint](const ByteSink &sink) { writeCheckpoint(checkpoint, sink); });
}

}  // namespace sweepscope::train
