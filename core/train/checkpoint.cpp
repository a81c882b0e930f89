#include "train/checkpoint.h"

#include "base/files.h"
#include "train/pickle.h"

#include <charconv>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

using Dictionary = c10::Dict<std::string, c10::IValue>;

Dictionary makeDictionary()
{
    return c10::impl::toTypedDict<std::string, c10::IValue>(
        c10::impl::GenericDict(c10::StringType::get(), c10::AnyType::get()));
}

c10::IValue valueOf(const c10::impl::GenericDict &dictionary, const char *name)
{
    const auto found = dictionary.find(std::string(name));
    TORCH_CHECK(found != dictionary.end(), "it has no \"", name, "\"");
    return found->value();
}

Checkpoint fromDictionary(const c10::impl::GenericDict &dictionary)
{
    Checkpoint checkpoint;
    Progress &progress = checkpoint.progress;
    progress.step = valueOf(dictionary, "step").toInt();
    progress.epoch = valueOf(dictionary, "epoch").toInt();
    progress.batch = valueOf(dictionary, "batch").toInt();
    progress.bestLoss = valueOf(dictionary, "best_loss").toDouble();
    progress.epochsSinceBest = valueOf(dictionary, "epochs_since_best").toInt();
    checkpoint.seed = static_cast<std::uint64_t>(valueOf(dictionary, "seed").toInt());
    for (const auto &item : valueOf(dictionary, "model").toGenericDict())
        checkpoint.model.push_back({item.key().toStringRef(), item.value().toTensor()});
    checkpoint.optimizer = valueOf(dictionary, "optimizer").toTensor();
    const c10::IValue random = valueOf(dictionary, "random");
    for (const c10::IValue &state : random.toListRef())
        checkpoint.random.push_back(state.toTensor());
    return checkpoint;
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

std::string packCheckpoint(const Checkpoint &checkpoint)
{
    const Progress &progress = checkpoint.progress;
    auto model = c10::Dict<std::string, torch::Tensor>();
    for (const NamedTensor &item : checkpoint.model)
        model.insert(item.name, item.tensor.detach().cpu());
    c10::impl::GenericList random(c10::AnyType::get());  // a list of tensors would be a type of LibTorch's own
    for (const torch::Tensor &state : checkpoint.random)
        random.push_back(state);
    Dictionary dictionary = makeDictionary();
    dictionary.insert("model", model);
    dictionary.insert("optimizer", checkpoint.optimizer);
    dictionary.insert("random", random);
    dictionary.insert("step", progress.step);
    dictionary.insert("epoch", progress.epoch);
    dictionary.insert("batch", progress.batch);
    dictionary.insert("best_loss", progress.bestLoss);
    dictionary.insert("epochs_since_best", progress.epochsSinceBest);
    dictionary.insert("seed", static_cast<std::int64_t>(checkpoint.seed));
    dictionary.insert("ranks", static_cast<std::int64_t>(checkpoint.random.size()));
    return pickleForPython(dictionary);
}

Expected<Checkpoint> unpackCheckpoint(const std::string &bytes)
{
    try {
        return fromDictionary(torch::pickle_load({bytes.begin(), bytes.end()}).toGenericDict());
    } catch (const std::exception &error) {
        const std::string text = error.what();
        return makeError(ErrorCode::Corrupt,
                         "is not a checkpoint of this worker, or is damaged (" + text.substr(0, text.find('\n')) + ")");
    }
}

CheckpointFolder CheckpointFolder::ofAttempt(const std::filesystem::path &attemptFolder)
{
    return CheckpointFolder(attemptFolder / "checkpoint");
}

Expected<void> CheckpointFolder::write(const std::filesystem::path &file, const std::string &bytes) const
{
    std::error_code error;
    std::filesystem::create_directories(m_folder, error);
    if (error)
        return makeError(ErrorCode::Io, "cannot create " + m_folder.string() + ": " + error.message());
    return writeFileAtomically(file, bytes);
}

std::optional<std::filesystem::path> findCheckpoint(const std::filesystem::path &attemptFolder)
{
    const std::optional<int> own = numberOf(attemptFolder);
    std::error_code error;
    std::optional<std::filesystem::path> found;
    int foundNumber = -1;
    const auto consider = [&](const std::filesystem::path &attempt, int number) {
        const std::filesystem::path file = CheckpointFolder::ofAttempt(attempt).last();
        if (number > foundNumber && std::filesystem::exists(file, error)) {
            found = file;
            foundNumber = number;
        }
    };
    consider(attemptFolder, own.value_or(0));
    if (!own)
        return found;
    for (const auto &entry : std::filesystem::directory_iterator(attemptFolder.parent_path(), error)) {
        const std::optional<int> number = numberOf(entry.path());
        if (number && *number < *own)
            consider(entry.path(), *number);
    }
    return found;
}

}  // namespace sweepscope::train
