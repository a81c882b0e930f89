#include "train/data/idxfile.h"

#include "train/data/unpackedfile.h"

#include <cstdio>
#include <string>

namespace sweepscope::train {

namespace {

constexpr std::uint64_t maxValues = std::uint64_t{1} << 30U;

std::uint32_t bigEndian(const std::uint8_t *bytes)
{
    return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U | bytes[3];
}

std::string hex(std::uint32_t value)
{
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", value);
    return text;
}

tl::unexpected<Error> sizeError(const std::filesystem::path &path, std::uint64_t expected, const UnpackedFile &found)
{
    std::string message = path.string() + ": expected " + std::to_string(expected) + " bytes, found "
                          + std::to_string(found.bytes.size());
    if (path.extension() == ".gz")
        message += " after unpacking";
    message +=
        found.bytes.size() < expected ? ": the file is cut off, get it again" : ": there is more than the header says";
    return makeError(ErrorCode::BadInput, std::move(message));
}

}  // namespace

Expected<IdxArray> readIdxFile(const std::filesystem::path &path, std::size_t dimensions)
{
    const std::uint64_t headerBytes = 4 + 4 * dimensions;
    Expected<UnpackedFile> file = unpackFile(path, maxValues + headerBytes);
    if (!file)
        return tl::unexpected(file.error());
    const std::vector<std::uint8_t> &bytes = file->bytes;

    const std::uint32_t wantedMagic = 0x00000800U | static_cast<std::uint32_t>(dimensions);
    if (bytes.size() >= 4 && bigEndian(bytes.data()) != wantedMagic)
        return makeError(ErrorCode::BadInput, path.string() + ": expected an IDX file that starts with "
                                                  + hex(wantedMagic) + ", found " + hex(bigEndian(bytes.data())));
    if (bytes.size() < headerBytes)
        return sizeError(path, headerBytes, *file);

    IdxArray array;
    std::uint64_t count = 1;
    for (std::size_t i = 0; i < dimensions; ++i) {
        const std::uint32_t extent = bigEndian(bytes.data() + 4 + 4 * i);
        array.shape.push_back(extent);
        if (extent != 0 && count > maxValues / extent)
            return makeError(ErrorCode::BadInput, path.string() + ": its header promises more than "
                                                      + std::to_string(maxValues) + " values");
        count *= extent;
    }
    if (bytes.size() != headerBytes + count)
        return sizeError(path, headerBytes + count, *file);
    array.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(headerBytes), bytes.end());
    return array;
}

}  // namespace sweepscope::train
