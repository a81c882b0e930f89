#include "train/data/tensorfile.h"

#include "train/data/mappedarchive.h"
#include "train/data/targets.h"
#include "train/data/tensorrows.h"
#include "train/pickle.h"
#include "train/ziprecords.h"

#include <caffe2/serialize/inline_container.h>
#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <string_view>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

struct Pair {
    torch::Tensor inputs;
    torch::Tensor targets;
};

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

Expected<Pair> pairOf(const c10::IValue &value, const std::filesystem::path &path)
{
    const auto inputs = named(value, "inputs") ? named(value, "inputs") : placed(value, 0);
    const auto targets = named(value, "targets") ? named(value, "targets") : placed(value, 1);
    if (!inputs || !targets)
        return makeError(ErrorCode::BadInput, path.string()
                                                  + ": expected the tensors \"inputs\" and \"targets\" in a "
                                                    "dictionary, or two tensors in a tuple");
    for (const torch::Tensor *tensor : {&*inputs, &*targets}) {
        if (tensor->layout() != torch::kStrided || tensor->is_quantized() || tensor->is_complex())
            return makeError(ErrorCode::BadInput, path.string() + ": expected dense tensors of real numbers, found "
                                                      + (tensor->is_complex()     ? "complex ones"
                                                         : tensor->is_quantized() ? "a quantized tensor"
                                                                                  : "a sparse tensor"));
    }
    return Pair{inputs->detach(), targets->detach()};
}

/// What `read` reads; an exception is the file's fault, unless memory ran out.
template <typename Read>
auto readOrRefuse(const std::filesystem::path &path, const Read &read) -> Expected<decltype(read())>
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return makeErrnoError("cannot read " + path.string(), error ? error.value() : ENOENT);
    try {
        return read();
    } catch (const std::bad_alloc &) {
        throw;
    } catch (const std::exception &thrown) {
        if (std::string_view(thrown.what()).find("allocate memory") != std::string_view::npos)
            throw;
        return makeError(ErrorCode::BadInput,
                         path.string()
                             + ": expected a file written by torch.save; it is damaged, or has another format");
    }
}

/// On the CPU, wherever the tensors were.
c10::IValue load(const std::filesystem::path &path)
{
    caffe2::serialize::PyTorchStreamReader reader(path.string());
    const auto [pickled, size] = reader.getRecord("data.pkl");
    return unpickle({static_cast<const char *>(pickled.get()), size}, [&reader](const std::string &name) {
        auto [data, bytes] = reader.getRecord("data/" + name);
        return StorageBytes{std::move(data), bytes};
    });
}

Expected<Dataset> readChosen(const std::filesystem::path &path, const std::string &task, const RowChoice &choice)
{
    const auto archive = readOrRefuse(path, [&path] { return std::make_unique<MappedArchive>(path); });
    if (!archive)
        return tl::unexpected(archive.error());
    const Expected<Pair> pair = pairOf((*archive)->value(), path);
    if (!pair)
        return tl::unexpected(pair.error());
    const auto inputs = (*archive)->placeOf(pair->inputs);
    const auto targets = (*archive)->placeOf(pair->targets);
    if (!inputs || !targets)
        return makeError(ErrorCode::BadInput, path.string()
                                                  + ": sampling = contiguous reads only the rows of a rank, but they "
                                                    "are not stored contiguously; save tensor.contiguous()");
    return readTable(tensorRows(path, *inputs, pair->inputs.sizes().vec(), pair->inputs.scalar_type()),
                     tensorRows(path, *targets, pair->targets.sizes().vec(), pair->targets.scalar_type()), choice, task,
                     path.string());
}

}  // namespace

Expected<Dataset> readTensors(const std::filesystem::path &path, const std::string &task, const RowChoice &choice)
{
    if (choice)
        return readChosen(path, task, choice);
    // What is no archive at all is refused below.
    if (const auto damaged = damagedRecord(path); damaged && *damaged)
        return makeError(ErrorCode::BadInput,
                         path.string() + " is damaged in " + **damaged + ": its checksum differs; save the file again");
    const Expected<c10::IValue> value = readOrRefuse(path, [&path] { return load(path); });
    if (!value)
        return tl::unexpected(value.error());
    const Expected<Pair> pair = pairOf(*value, path);
    if (!pair)
        return tl::unexpected(pair.error());
    return makeDataset(pair->inputs, pair->targets, task, path.string());
}

}  // namespace sweepscope::train
