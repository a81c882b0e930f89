#include "train/pickle.h"

#include <caffe2/serialize/inline_container.h>
#include <cstring>
#include <map>
#include <new>
#include <torch/csrc/jit/serialization/pickler.h>
#include <torch/csrc/jit/serialization/unpickler.h>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Bytes from the begin of the storage to the end of the tensor's last element.
__int128 bytesReached(const at::Tensor &tensor)
{
    if (tensor.numel() == 0)
        return 0;
    __int128 last = tensor.storage_offset();
    for (std::int64_t i = 0; i < tensor.dim(); ++i)
        last += static_cast<__int128>(tensor.size(i) - 1) * tensor.stride(i);
    return (last + 1) * static_cast<__int128>(tensor.element_size());
}

void requireWithin(const at::Tensor &tensor, const std::map<const void *, std::uint64_t> &sizes)
{
    if (!tensor.defined() || tensor.layout() != at::kStrided)
        return;
    bool hasNegative = tensor.storage_offset() < 0;
    for (std::int64_t i = 0; i < tensor.dim(); ++i)
        hasNegative = hasNegative || tensor.size(i) < 0 || tensor.stride(i) < 0;
    const auto found = sizes.find(tensor.storage().data());
    const std::uint64_t size = found == sizes.end() ? 0 : found->second;
    TORCH_CHECK(!hasNegative && bytesReached(tensor) <= static_cast<__int128>(size), "a tensor of shape ",
                tensor.sizes(), " does not fit into the ", size, " bytes that are stored for it");
}

}  // namespace

std::string pickleForPython(const c10::IValue &value)
{
    std::string pickled;
    torch::jit::Pickler pickler([&](const char *data, std::size_t size) { pickled.append(data, size); }, nullptr,
                                nullptr, nullptr, nullptr, /*tag_aggregates=*/false);
    pickler.protocol();
    pickler.pushIValue(value);
    pickler.stop();

    std::string archive;
    const std::function<std::size_t(const void *, std::size_t)> append = [&](const void *data, std::size_t size) {
        archive.append(static_cast<const char *>(data), size);
        return size;
    };
    caffe2::serialize::PyTorchStreamWriter writer(append);
    writer.writeRecord("data.pkl", pickled.data(), pickled.size());
    std::size_t number = 0;
    for (const at::Tensor &tensor : pickler.tensorData()) {
        const auto content = torch::jit::getWriteableTensorData(tensor);
        writer.writeRecord("data/" + std::to_string(number++), content.data(), content.sizeInBytes());
    }
    writer.writeEndOfFile();
    return archive;
}

c10::IValue unpickle(const std::string &pickled, const std::function<StorageBytes(const std::string &name)> &storage)
{
    std::map<const void *, std::uint64_t> sizes;
    std::size_t position = 0;
    const auto read = [&](char *to, std::size_t size) {
        const std::size_t length = std::min(size, pickled.size() - position);
        std::memcpy(to, pickled.data() + position, length);
        position += length;
        return length;
    };
    bool isFetching = false;
    const auto fetch = [&](const std::string &name) {
        isFetching = true;
        StorageBytes bytes = storage(name);
        isFetching = false;
        sizes[bytes.data.get()] = bytes.size;
        return std::move(bytes.data);
    };
    torch::jit::Unpickler unpickler(read, nullptr, nullptr, fetch, torch::Device(torch::kCPU));
    c10::IValue value;
    try {
        value = unpickler.parse_ivalue();
    } catch (const std::bad_alloc &) {  // of a text that is longer than the file, unless a tensor is fetched
        if (isFetching)
            throw;
        TORCH_CHECK(false, "it is damaged");
    }
    value.visit([&sizes](const c10::IValue &part) {
        if (part.isTensor())
            requireWithin(part.toTensor(), sizes);
        return false;
    });
    return value;
}

}  // namespace sweepscope::train
