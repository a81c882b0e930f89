#include "train/data/textfile.h"

#include "data/unpackedfile.h"

#include <array>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::uint64_t maxBytes = std::uint64_t{4} << 30U;

}  // namespace

Expected<Dataset> readText(const std::filesystem::path &path, std::int64_t context)
{
    const Expected<data::UnpackedFile> file = data::unpackFile(path, maxBytes);
    if (!file)
        return tl::unexpected(file.error());
    const auto length = static_cast<std::int64_t>(file->bytes.size());
    const std::int64_t count = (length - 1) / context;
    if (count < 3)
        return makeError(ErrorCode::BadInput, path.string() + ": " + std::to_string(length)
                                                  + " bytes are too few for samples of context = "
                                                  + std::to_string(context) + " to train, validate and test on");
    std::array<bool, 256> occurs{};
    for (const std::uint8_t byte : file->bytes)
        occurs[byte] = true;
    std::array<std::int64_t, 256> tokens{};
    Dataset dataset;
    for (std::size_t byte = 0; byte < tokens.size(); ++byte)
        tokens[byte] = occurs[byte] ? dataset.vocabulary++ : 0;

    const torch::Tensor text = torch::empty({length}, torch::kInt64);
    auto *values = text.data_ptr<std::int64_t>();
    for (std::size_t i = 0; i < file->bytes.size(); ++i)
        values[i] = tokens[file->bytes[i]];
    dataset.samples.inputs = text.narrow(0, 0, count * context).view({count, context});
    dataset.samples.targets = text.narrow(0, 1, count * context).view({count, context});
    dataset.kind = SampleKind::Tokens;
    dataset.outputs = dataset.vocabulary;
    return dataset;
}

}  // namespace sweepscope::train
