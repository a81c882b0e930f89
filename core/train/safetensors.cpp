#include "train/safetensors.h"

#include <array>
#include <nlohmann/json.hpp>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

std::string typeName(c10::ScalarType type)
{
    switch (type) {
    case torch::kFloat64:
        return "F64";
    case torch::kFloat32:
        return "F32";
    case torch::kFloat16:
        return "F16";
    case torch::kBFloat16:
        return "BF16";
    case torch::kInt64:
        return "I64";
    case torch::kInt32:
        return "I32";
    case torch::kInt16:
        return "I16";
    case torch::kInt8:
        return "I8";
    case torch::kUInt8:
        return "U8";
    case torch::kBool:
        return "BOOL";
    default:
        TORCH_CHECK(false, "safetensors has no type for ", type);
    }
}

}  // namespace

void writeSafetensors(const std::vector<NamedTensor> &tensors, const std::map<std::string, std::string> &metadata,
                      const ByteSink &sink)
{
    nlohmann::ordered_json header;
    header["__metadata__"] = metadata;
    std::uint64_t place = 0;
    for (const NamedTensor &item : tensors) {
        const std::uint64_t end = place + item.tensor.nbytes();
        header[item.name] = {{"dtype", typeName(item.tensor.scalar_type())},
                             {"shape", item.tensor.sizes().vec()},
                             {"data_offsets", {place, end}}};
        place = end;
    }
    std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the values are aligned
    std::array<std::uint8_t, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<std::uint8_t>(text.size() >> (8 * i));
    sink(length.data(), length.size());
    sink(text.data(), text.size());
    for (const NamedTensor &item : tensors) {
        const torch::Tensor values = item.tensor.detach().cpu().contiguous();
        sink(values.data_ptr(), values.nbytes());
    }
}

}  // namespace sweepscope::train
