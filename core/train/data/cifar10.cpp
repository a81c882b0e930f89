#include "train/data/cifar10.h"

#include "data/rowfile.h"
#include "data/unpackedfile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

constexpr std::int64_t imageSide = 32;
constexpr std::int64_t channels = 3;
constexpr std::size_t recordBytes = 1 + channels * imageSide * imageSide;

std::filesystem::path fileIn(const std::filesystem::path &folder, const std::string &name)
{
    std::error_code error;
    const std::filesystem::path packed = folder / (name + ".gz");
    return std::filesystem::exists(packed, error) ? packed : folder / name;
}

/// Files of records one after the other, numbered through.
struct Records {
    std::vector<data::RowFile> files;
    std::int64_t count = 0;
};

Expected<Records> findRecords(const std::vector<std::filesystem::path> &paths)
{
    Records records;
    for (const std::filesystem::path &path : paths) {
        const std::optional<std::uint64_t> size = data::promisedSize(path);
        if (!size)
            return makeErrnoError("cannot read " + path.string(), ENOENT);
        if (*size == 0 || *size % recordBytes != 0)
            return makeError(ErrorCode::BadInput,
                             path.string() + ": expected records of " + std::to_string(recordBytes) + " bytes, found "
                                 + std::to_string(*size)
                                 + " bytes: the file is truncated, or is not from CIFAR-10's binary version");
        const auto count = static_cast<std::int64_t>(*size / recordBytes);
        records.files.push_back({path, 0, recordBytes, recordBytes, count});
        records.count += count;
    }
    return records;
}

/// The records `wishes` of one file become samples, a few at a time: of a record's bytes none stays twice.
Expected<void> readFile(const data::RowFile &file, const std::vector<data::RowWish> &wishes, Samples &samples)
{
    // A gzipped file would be unpacked for each block again.
    const std::size_t most = data::isGzipped(file.path) ? std::max<std::size_t>(1, wishes.size()) : 1024;
    for (std::size_t start = 0; start < wishes.size(); start += most) {
        const std::size_t end = std::min(start + most, wishes.size());
        std::vector<std::int64_t> rows;
        for (std::size_t i = start; i < end; ++i)
            rows.push_back(wishes[i].row);
        std::vector<std::uint8_t> block(rows.size() * recordBytes);
        if (const Expected<void> read = data::readRows(file, data::inThisOrder(rows), block.data()); !read)
            return read;
        for (std::size_t i = start; i < end; ++i) {
            const std::uint8_t *record = block.data() + (i - start) * recordBytes;
            if (record[0] > 9)
                return makeError(ErrorCode::BadInput, file.path.string() + ": expected classes from 0 to 9, found "
                                                          + std::to_string(record[0]) + " in record "
                                                          + std::to_string(wishes[i].row));
            samples.targets.data_ptr<std::int64_t>()[wishes[i].place] = record[0];
            std::memcpy(samples.inputs.data_ptr<std::uint8_t>() + wishes[i].place * (recordBytes - 1), record + 1,
                        recordBytes - 1);
        }
    }
    return {};
}

Expected<Samples> readRecords(const Records &records, const RowChoice &choice)
{
    const Expected<std::vector<std::int64_t>> wanted = chosenRows(choice, records.count);
    if (!wanted)
        return tl::unexpected(wanted.error());
    const auto count = static_cast<std::int64_t>(wanted->size());
    Samples samples{torch::empty({count, channels, imageSide, imageSide}, torch::kUInt8),
                    torch::empty({count}, torch::kInt64)};
    std::int64_t first = 0;
    for (const data::RowFile &file : records.files) {
        std::vector<data::RowWish> wishes;
        for (const data::RowWish &wish : data::inThisOrder(*wanted)) {
            if (wish.row >= first && wish.row < first + file.count)
                wishes.push_back({wish.row - first, wish.place});
        }
        if (const Expected<void> read = readFile(file, wishes, samples); !read)
            return tl::unexpected(read.error());
        first += file.count;
    }
    return samples;
}

}  // namespace

Expected<TrainAndTest> readCifar10(const std::filesystem::path &folder, const RowChoices &choices)
{
    std::error_code error;
    const std::filesystem::path unpacked = folder / "cifar-10-batches-bin";
    const std::filesystem::path place = std::filesystem::is_directory(unpacked, error) ? unpacked : folder;
    std::vector<std::filesystem::path> batches;
    for (int i = 1; i <= 5; ++i)
        batches.push_back(fileIn(place, "data_batch_" + std::to_string(i) + ".bin"));
    const Expected<Records> train = findRecords(batches);
    if (!train)
        return tl::unexpected(train.error());
    const Expected<Records> test = findRecords({fileIn(place, "test_batch.bin")});
    if (!test)
        return tl::unexpected(test.error());
    Expected<Samples> trainSamples = readRecords(*train, choices.samples);
    if (!trainSamples)
        return tl::unexpected(trainSamples.error());
    Expected<Samples> testSamples = readRecords(*test, choices.test);
    if (!testSamples)
        return tl::unexpected(testSamples.error());
    return TrainAndTest{std::move(*trainSamples), std::move(*testSamples)};
}

}  // namespace sweepscope::train
