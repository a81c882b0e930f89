#include "train/data/digits.h"

#include "data/unpackedfile.h"

#include <charconv>
#include <string>
#include <torch/torch.h>
#include <vector>

namespace sweepscope::train {

namespace {

constexpr std::int64_t digitSide = 8;
constexpr std::size_t pixels = 64;
constexpr std::uint64_t mostFileBytes = 16 * 1024 * 1024;

}  // namespace

Expected<Samples> readDigits(const std::filesystem::path &path)
{
    Expected<data::UnpackedFile> file = data::unpackFile(path, mostFileBytes);
    if (!file)
        return tl::unexpected(file.error());
    if (file->cutOff)
        return makeError(ErrorCode::BadInput, path.string() + ": the file is truncated; download it again");

    std::vector<std::uint8_t> images;
    std::vector<std::int64_t> labels;
    const char *position = reinterpret_cast<const char *>(file->bytes.data());
    const char *const end = position + file->bytes.size();
    for (std::size_t line = 1; position != end; ++line) {
        for (std::size_t column = 0; column <= pixels; ++column) {
            const unsigned limit = column < pixels ? 16 : 9;
            unsigned value = 0;
            const auto [next, code] = std::from_chars(position, end, value);
            const char separator = column < pixels ? ',' : '\n';
            const bool ended = next == end ? column == pixels : *next == separator;
            if (code != std::errc() || value > limit || !ended)
                return makeError(ErrorCode::BadInput,
                                 path.string() + ":" + std::to_string(line) + ": field " + std::to_string(column + 1)
                                     + " of 65 must be a number from 0 to " + std::to_string(limit));
            if (column < pixels)
                images.push_back(static_cast<std::uint8_t>(value));
            else
                labels.push_back(value);
            position = next == end ? end : next + 1;
        }
    }
    const auto count = static_cast<std::int64_t>(labels.size());
    return Samples{torch::tensor(images, torch::kUInt8).view({count, 1, digitSide, digitSide}),
                   torch::tensor(labels, torch::kInt64)};
}

}  // namespace sweepscope::train
