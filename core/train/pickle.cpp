#include "train/pickle.h"

#include "train/ziprecords.h"

#include <algorithm>
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

void pickleForPython(const c10::IValue &value, const ByteSink &sink)
{
    std::string pickled;
    torch::jit::Pickler pickler([&](const char *data, std::size_t size) { pickled.append(data, size); }, nullptr,
                                nullptr, nullptr, nullptr, /*tag_aggregates=*/false);
    pickler.protocol();
    pickler.pushIValue(value);
    pickler.stop();

    const std::function<std::size_t(const void *, std::size_t)> append = [&](const void *data, std::size_t size) {
        sink(data, size);
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

c10::IValue unpickleArchive(std::span<const std::uint8_t> archive)
{
    const Expected<std::vector<ZipRecord>> records = zipRecords(archive);
    TORCH_CHECK(records, records ? "" : records.error().message);
    // All names begin with a folder, which is named after the file.
    const auto find = [&records](const std::string &name) -> const ZipRecord & {
        const auto record = std::ranges::find_if(*records, [&name](const ZipRecord &candidate) {
            const std::size_t slash = candidate.name.find('/');
            return slash != std::string::npos && candidate.name.compare(slash + 1, std::string::npos, name) == 0;
        });
        TORCH_CHECK(record != records->end() && !record->isCompressed, name, " is missing or compressed");
        return *record;
    };
    auto *begin = const_cast<std::uint8_t *>(archive.data());  // tensors have no type for what may only be read
    const ZipRecord &pickled = find("data.pkl");
    return unpickle({reinterpret_cast<const char *>(begin) + pickled.offset, pickled.size},
                    [&](const std::string &name) {
                        const ZipRecord &record = find("data/" + name);
                        return StorageBytes{at::DataPtr(begin + record.offset, at::kCPU), record.size};
                    });
}

}  // namespace sweepscope::train
