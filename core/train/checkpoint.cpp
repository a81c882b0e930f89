#include "train/checkpoint.h"

#include "base/files.h"
#include "base/folderentries.h"
#include "train/pickle.h"
#include "train/torcherror.h"
#include "train/ziprecords.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

using Dictionary = c10::impl::GenericDict;

c10::IValue valueOf(const Dictionary &dictionary, const char *name)
{
    const auto found = dictionary.find(std::string(name));
    TORCH_CHECK(found != dictionary.end(), "it has no \"", name, "\"");
    return found->value();
}

Checkpoint fromDictionary(const Dictionary &dictionary)
{
    Checkpoint checkpoint;
    Progress &progress = checkpoint.progress;
    progress.step = valueOf(dictionary, "step").toInt();
    progress.epoch = valueOf(dictionary, "epoch").toInt();
    progress.batch = valueOf(dictionary, "batch").toInt();
    if (const c10::IValue best = valueOf(dictionary, "best_score"); !best.isNone())
        progress.bestScore = best.toDouble();
    progress.sinceBest = valueOf(dictionary, "validations_since_best").toInt();
    TrialIdentity &trial = checkpoint.trial;
    trial.seed = static_cast<std::uint64_t>(valueOf(dictionary, "seed").toInt());
    trial.ranks = static_cast<int>(valueOf(dictionary, "ranks").toInt());
    for (const auto &item : valueOf(dictionary, "settings").toGenericDict())
        trial.settings[item.key().toStringRef()] = item.value().toStringRef();
    trial.data = valueOf(dictionary, "data").toStringRef();
    for (const auto &item : valueOf(dictionary, "model").toGenericDict())
        checkpoint.model.push_back({item.key().toStringRef(), item.value().toTensor()});
    for (const auto &item : valueOf(dictionary, "best_steps").toGenericDict())
        checkpoint.best.push_back({item.key().toInt(), item.value().toDouble()});
    if (const auto average = dictionary.find(std::string("model_average")); average != dictionary.end()) {
        for (const auto &item : average->value().toGenericDict())
            checkpoint.average.push_back({item.key().toStringRef(), item.value().toTensor()});
    }
    checkpoint.optimizer = valueOf(dictionary, "optimizer");
    const c10::IValue random = valueOf(dictionary, "random");
    for (const c10::IValue &state : random.toListRef())
        checkpoint.random.push_back(state.toTensor());
    return checkpoint;
}

c10::Dict<std::string, torch::Tensor> byName(const std::vector<NamedTensor> &tensors)
{
    c10::Dict<std::string, torch::Tensor> dictionary;
    for (const NamedTensor &item : tensors)
        dictionary.insert(item.name, item.tensor);
    return dictionary;
}

/// The number that a folder's name is; empty for other names.
std::optional<int> numberOf(const std::filesystem::path &folder)
{
    const std::string name = folder.filename().string();
    int number = 0;
    const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (code != std::errc() || end != name.data() + name.size())
        return std::nullopt;
    return number;
}

}  // namespace

void writeCheckpoint(const Checkpoint &checkpoint, const ByteSink &sink)
{
    const Progress &progress = checkpoint.progress;
    auto settings = c10::Dict<std::string, std::string>();
    for (const auto &[name, value] : checkpoint.trial.settings)
        settings.insert(name, value);
    c10::impl::GenericList random(c10::AnyType::get());  // a list of tensors would be a type of LibTorch's own
    for (const torch::Tensor &state : checkpoint.random)
        random.push_back(state);
    Dictionary dictionary(c10::StringType::get(), c10::AnyType::get());
    dictionary.insert("model", byName(checkpoint.model));
    if (!checkpoint.average.empty())
        dictionary.insert("model_average", byName(checkpoint.average));
    dictionary.insert("optimizer", checkpoint.optimizer);
    dictionary.insert("random", random);
    dictionary.insert("step", progress.step);
    dictionary.insert("epoch", progress.epoch);
    dictionary.insert("batch", progress.batch);
    dictionary.insert("best_score", progress.bestScore ? c10::IValue(*progress.bestScore) : c10::IValue());
    Dictionary best(c10::IntType::get(), c10::FloatType::get());
    for (const BestWeights::Kept &kept : checkpoint.best)
        best.insert(kept.step, kept.score);
    dictionary.insert("best_steps", best);
    dictionary.insert("validations_since_best", progress.sinceBest);
    dictionary.insert("seed", static_cast<std::int64_t>(checkpoint.trial.seed));
    dictionary.insert("ranks", static_cast<std::int64_t>(checkpoint.trial.ranks));
    dictionary.insert("settings", settings);
    dictionary.insert("data", checkpoint.trial.data);
    pickleForPython(dictionary, sink);
}

Expected<Checkpoint> readCheckpoint(std::span<const std::uint8_t> bytes)
{
    const auto damaged = damagedRecord(bytes);
    if (!damaged)
        return tl::unexpected(damaged.error());
    if (*damaged)
        return makeError(ErrorCode::Corrupt, "is damaged in " + **damaged);
    try {
        return fromDictionary(unpickleArchive(bytes).toGenericDict());
    } catch (const std::exception &error) {
        return makeError(ErrorCode::Corrupt,
                         "is not a checkpoint of this worker (" + torchSentence(error.what()) + ")");
    }
}

CheckpointFolder CheckpointFolder::ofAttempt(const std::filesystem::path &attemptFolder)
{
    return CheckpointFolder(attemptFolder / "checkpoint");
}

std::vector<std::filesystem::path> CheckpointFolder::existing() const
{
    std::vector<std::filesystem::path> files{last(), previous()};
    std::erase_if(files, [](const std::filesystem::path &file) {
        std::error_code error;
        return !std::filesystem::exists(file, error);
    });
    return files;
}

Expected<void> CheckpointFolder::writeLast(const Write &write) const
{
    std::error_code error;
    if (std::filesystem::exists(last(), error)) {
        std::filesystem::remove(previous(), error);
        std::filesystem::create_hard_link(last(), previous(), error);
        if (error)  // a file system without links
            std::filesystem::rename(last(), previous(), error);
    }
    return this->write(last(), write);
}

Expected<void> CheckpointFolder::writeBest(const Write &write) const
{
    return this->write(best(), write);
}

Expected<void> CheckpointFolder::writeBest(std::int64_t step, const Write &write) const
{
    return this->write(best(step), write);
}

Expected<void> CheckpointFolder::nameBest(std::int64_t step) const
{
    const std::filesystem::path link = m_folder / "best.safetensors.new";
    std::error_code error;
    // To rename one name of a file to another one of the same file does nothing.
    if (std::filesystem::equivalent(best(step), best(), error))
        return {};
    std::filesystem::remove(link, error);
    std::filesystem::create_hard_link(best(step), link, error);
    if (error)  // a file system without links
        std::filesystem::copy_file(best(step), link, error);
    if (!error)
        std::filesystem::rename(link, best(), error);
    return error ? makeError(ErrorCode::Io, "cannot write " + best().string() + ": " + error.message())
                 : Expected<void>();
}

std::vector<std::int64_t> CheckpointFolder::bestSteps() const
{
    std::vector<std::int64_t> steps;
    for (const auto &entry : entriesOf(m_folder)) {
        const std::string name = entry.path().filename().string();
        constexpr std::string_view prefix = "best-";
        std::int64_t step = 0;
        if (name.starts_with(prefix)
            && std::from_chars(name.data() + prefix.size(), name.data() + name.size(), step).ec == std::errc()
            && entry.path() == best(step))
            steps.push_back(step);
    }
    return steps;
}

Expected<void> CheckpointFolder::write(const std::filesystem::path &file, const Write &write) const
{
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot create " + m_folder.string() + ": " + error.message());
    return writeFileAtomically(file, [&](int descriptor) -> Expected<void> {
        Expected<void> written;
        try {
            write([&](const void *data, std::size_t size) {
                written = writeAll(descriptor, {static_cast<const char *>(data), size}, file);
                TORCH_CHECK(written.has_value(), written ? "" : written.error().message);
            });
        } catch (const std::exception &thrown) {
            if (written)
                return makeError(ErrorCode::Io, "cannot write " + file.string() + ": " + torchSentence(thrown.what()));
        }
        return written;
    });
}

std::vector<std::filesystem::path> findCheckpoints(const std::filesystem::path &attemptFolder)
{
    std::vector<std::filesystem::path> found = CheckpointFolder::ofAttempt(attemptFolder).existing();
    const std::optional<int> own = numberOf(attemptFolder);
    if (!own)
        return found;
    std::map<int, std::filesystem::path, std::greater<>> earlier;
    for (const auto &entry : entriesOf(attemptFolder.parent_path())) {
        const std::optional<int> number = numberOf(entry.path());
        if (number && *number < *own)
            earlier[*number] = entry.path();
    }
    for (const auto &[number, attempt] : earlier) {
        const std::vector<std::filesystem::path> files = CheckpointFolder::ofAttempt(attempt).existing();
        found.insert(found.end(), files.begin(), files.end());
    }
    return found;
}

}  // namespace sweepscope::train
