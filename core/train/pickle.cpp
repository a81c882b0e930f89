#include "train/pickle.h"

#include <caffe2/serialize/inline_container.h>
#include <functional>
#include <torch/csrc/jit/serialization/pickler.h>
#include <torch/torch.h>

namespace sweepscope::train {

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

}  // namespace sweepscope::train
