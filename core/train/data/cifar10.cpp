#include "train/data/cifar10.h"

#include "data/unpackedfile.h"

#include <string>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::int64_t side = 32;
constexpr std::int64_t channels = 3;
constexpr std::size_t recordBytes = 1 + channels * side * side;
constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30U;

std::filesystem::path fileIn(const std::filesystem::path &folder, const std::string &name)
{
    std::error_code error;
    const std::filesystem::path packed = folder / (name + ".gz");
    return std::filesystem::exists(packed, error) ? packed : folder / name;
}

/// Appends to `bytes` the records of one file.
Expected<void> appendRecords(const std::filesystem::path &path, std::vector<std::uint8_t> &bytes)
{
    const Expected<data::UnpackedFile> file = data::unpackFile(path, maxBytes);
    if (!file)
        return tl::unexpected(file.error());
    const std::size_t size = file->bytes.size();
    if (size == 0 || size % recordBytes != 0 || file->cutOff)
        return makeError(ErrorCode::BadInput,
                         path.string() + ": expected records of " + std::to_string(recordBytes) + " bytes, found "
                             + std::to_string(size)
                             + " bytes: the file is cut off, or is not of CIFAR-10's binary version");
    for (std::size_t start = 0; start < size; start += recordBytes) {
        if (file->bytes[start] > 9)
            return makeError(ErrorCode::BadInput, path.string() + ": expected classes from 0 to 9, found "
                                                      + std::to_string(file->bytes[start]) + " in record "
                                                      + std::to_string(start / recordBytes));
    }
    bytes.insert(bytes.end(), file->bytes.begin(), file->bytes.end());
    return {};
}

Samples toSamples(std::vector<std::uint8_t> &records)
{
    const auto count = static_cast<std::int64_t>(records.size() / recordBytes);
    const torch::Tensor rows =
        torch::from_blob(records.data(), {count, static_cast<std::int64_t>(recordBytes)}, torch::kUInt8);
    return {rows.slice(1, 1).reshape({count, channels, side, side}).contiguous(), rows.select(1, 0).to(torch::kInt64)};
}

}  // namespace

Expected<TrainAndTest> readCifar10(const std::filesystem::path &folder)
{
    std::error_code error;
    const std::filesystem::path unpacked = folder / "cifar-10-batches-bin";
    const std::filesystem::path place = std::filesystem::is_directory(unpacked, error) ? unpacked : folder;
    std::vector<std::uint8_t> train;
    for (int i = 1; i <= 5; ++i) {
        const Expected<void> read = appendRecords(fileIn(place, "data_batch_" + std::to_string(i) + ".bin"), train);
        if (!read)
            return tl::unexpected(read.error());
    }
    std::vector<std::uint8_t> test;
    if (const Expected<void> read = appendRecords(fileIn(place, "test_batch.bin"), test); !read)
        return tl::unexpected(read.error());
    return TrainAndTest{toSamples(train), toSamples(test)};
}

}  // namespace sweepscope::train
