#include "train/checkpointkeeper.h"

#include "base/files.h"
#include "train/optimizer.h"
#include "train/randomstate.h"
#include "train/trainingerror.h"

#include <algorithm>
#include <sstream>
#include <torch/torch.h>
#include <utility>

namespace sweepscope::train {

namespace {

using Clock = std::chrono::steady_clock;

/// Small trials have epochs of milliseconds; writing a file durably takes longer.
constexpr std::chrono::seconds betweenSaves{2};
constexpr std::uint64_t maxCheckpointBytes = std::uint64_t{64} << 30U;

std::string readOrThrow(const std::filesystem::path &file)
{
    Expected<std::string> bytes = readFile(file, maxCheckpointBytes);
    if (!bytes)
        throw TrainingError(bytes.error().message);
    return std::move(*bytes);
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

}  // namespace

CheckpointKeeper::Resumed CheckpointKeeper::resume(const std::optional<std::filesystem::path> &file, Progress &progress)
{
    const bool reads = m_subject.group.rank() == 0 && file;
    const std::string bytes = shared(reads ? readOrThrow(*file) : std::string(), m_subject.group);
    if (bytes.empty())
        return Resumed::NothingThere;
    const Expected<Checkpoint> checkpoint = unpackCheckpoint(bytes);
    if (!checkpoint)
        throw TrainingError((file ? file->string() : "the checkpoint") + " " + checkpoint.error().message);
    const auto ranks = static_cast<int>(checkpoint->random.size());
    if (checkpoint->seed != m_subject.seed || ranks != m_subject.group.size())
        return Resumed::OfAnotherTrial;
    restore(*checkpoint);
    progress = checkpoint->progress;
    if (reads)
        copyBestFrom(*file);
    return Resumed::Yes;
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
                                + own[i].name);
        own[i].tensor.copy_(saved.tensor);
    }
    m_subject.network.weightsChanged();
    std::string bytes(static_cast<const char *>(checkpoint.optimizer.data_ptr()),
                      static_cast<std::size_t>(checkpoint.optimizer.numel()));
    std::istringstream stream(bytes);
    auto &groups = m_subject.optimizer.param_groups();
    std::vector<std::unique_ptr<torch::optim::OptimizerOptions>> settings;  // of this trial, whatever the other's were
    for (const torch::optim::OptimizerParamGroup &group : groups)
        settings.push_back(group.options().clone());
    torch::load(m_subject.optimizer, stream, torch::Device(torch::kCPU));  // it may be of a GPU that is not here
    for (std::size_t i = 0; i < settings.size(); ++i)
        groups[i].set_options(std::move(settings[i]));
    moveStateToParameters(m_subject.optimizer);
    setRandomState(checkpoint.random[static_cast<std::size_t>(m_subject.group.rank())], m_subject.devices);
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
        static_cast<void>(m_folder->write(m_folder->best(), *bytes));
}

Checkpoint CheckpointKeeper::snapshot(const Progress &progress)
{
    Checkpoint checkpoint;
    checkpoint.progress = progress;
    checkpoint.seed = m_subject.seed;
    checkpoint.model = weightsAndBuffers(m_subject.network);
    checkpoint.random = m_subject.group.gather(randomState(m_subject.devices));
    std::ostringstream stream;
    torch::save(m_subject.optimizer, stream);
    const std::string bytes = stream.str();
    checkpoint.optimizer = torch::empty({static_cast<std::int64_t>(bytes.size())}, torch::kUInt8);
    std::copy(bytes.begin(), bytes.end(), static_cast<char *>(checkpoint.optimizer.data_ptr()));
    return checkpoint;
}

std::optional<Expected<void>> CheckpointKeeper::save(const Progress &progress, bool best, Saving saving)
{
    if (!m_folder)
        return std::nullopt;
    const Checkpoint checkpoint = snapshot(progress);
    if (m_subject.group.rank() != 0)
        return std::nullopt;
    const bool now = saving == Saving::Always || Clock::now() - m_lastSave >= betweenSaves;
    if (!now && !best)
        return std::nullopt;
    const std::string bytes = packCheckpoint(checkpoint);
    if (best)
        m_unsavedBest = bytes;
    if (!now)
        return std::nullopt;
    return write(bytes);
}

Expected<void> CheckpointKeeper::write(const std::string &bytes)
{
    m_lastSave = Clock::now();
    // The best one first: the last one already records its score, so it would not be saved again.
    if (!m_unsavedBest.empty()) {
        if (Expected<void> written = m_folder->write(m_folder->best(), m_unsavedBest); !written)
            return written;
        m_unsavedBest.clear();
    }
    return m_folder->write(m_folder->last(), bytes);
}

}  // namespace sweepscope::train
