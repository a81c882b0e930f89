#include "train/data/tensorfile.h"

#include "base/files.h"
#include "train/data/targets.h"

#include <optional>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::uint64_t maxBytes = std::uint64_t{16} << 30U;

std::optional<torch::Tensor> named(const c10::IValue &value, const char *name)
{
    if (!value.isGenericDict())
        return std::nullopt;
    for (const auto &item : value.toGenericDict()) {
        if (item.key().isString() && item.key().toStringRef() == name && item.value().isTensor())
            return item.value().toTensor();
    }
    return std::nullopt;
}

std::optional<torch::Tensor> placed(const c10::IValue &value, std::size_t index)
{
    if (value.isTuple() && value.toTupleRef().elements().size() == 2 && value.toTupleRef().elements()[index].isTensor())
        return value.toTupleRef().elements()[index].toTensor();
    if (value.isList() && value.toListRef().size() == 2 && value.toListRef()[index].isTensor())
        return value.toListRef()[index].toTensor();
    return std::nullopt;
}

}  // namespace

Expected<Dataset> readTensors(const std::filesystem::path &path, const std::string &task)
{
    const Expected<std::string> bytes = readFile(path, maxBytes);
    if (!bytes)
        return tl::unexpected(bytes.error());
    c10::IValue value;
    try {
        value = torch::pickle_load({bytes->begin(), bytes->end()});
    } catch (const std::exception &) {
        return makeError(ErrorCode::BadInput, path.string()
                                                  + ": expected what torch.save writes; the file is damaged, "
                                                    "or is something else");
    }
    const auto inputs = named(value, "inputs") ? named(value, "inputs") : placed(value, 0);
    const auto targets = named(value, "targets") ? named(value, "targets") : placed(value, 1);
    if (!inputs || !targets)
        return makeError(ErrorCode::BadInput, path.string()
                                                  + ": expected the tensors \"inputs\" and \"targets\" in a "
                                                    "dictionary, or two tensors in a tuple");
    return makeDataset(*inputs, *targets, task, path.string());
}

}  // namespace sweepscope::train
