#include "data/idxfile.h"

#include "data/unpackedfile.h"

#include <cstdio>
#include <string>

namespace sweepscope::data {

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
    message += found.bytes.size() < expected ? ": the file is truncated; download it again"
                                             : ": the file is longer than its header says";
    return makeError(ErrorCode::BadInput, std::move(message));
}

/// What the header alone says.
struct Header {
    std::vector<std::int64_t> shape;
    std::uint64_t bytes = 0;  ///< of the header
    std::uint64_t count = 1;  ///< of values
};

Expected<Header> parseHeader(const std::filesystem::path &path, std::size_t dimensions, const UnpackedFile &start)
{
    Header header;
    header.bytes = 4 + 4 * dimensions;
    const std::vector<std::uint8_t> &bytes = start.bytes;
    const std::uint32_t wantedMagic = 0x00000800U | static_cast<std::uint32_t>(dimensions);
    if (bytes.size() >= 4 && bigEndian(bytes.data()) != wantedMagic)
        return makeError(ErrorCode::BadInput, path.string() + ": expected an IDX file that starts with "
                                                  + hex(wantedMagic) + ", found " + hex(bigEndian(bytes.data())));
    if (bytes.size() < header.bytes)
        return sizeError(path, header.bytes, start);
    for (std::size_t i = 0; i < dimensions; ++i) {
        const std::uint32_t extent = bigEndian(bytes.data() + 4 + 4 * i);
        header.shape.push_back(extent);
        if (extent != 0 && header.count > maxValues / extent)
            return makeError(ErrorCode::BadInput, path.string() + ": its header declares more than "
                                                      + std::to_string(maxValues) + " values");
        header.count *= extent;
    }
    return header;
}

}  // namespace

Expected<IdxArray> readIdxFile(const std::filesystem::path &path, std::size_t dimensions)
{
    Expected<UnpackedFile> file = unpackFile(path, maxValues + 4 + 4 * dimensions);
    if (!file)
        return tl::unexpected(file.error());
    Expected<Header> header = parseHeader(path, dimensions, *file);
    if (!header)
        return tl::unexpected(header.error());
    const std::vector<std::uint8_t> &bytes = file->bytes;
    if (bytes.size() != header->bytes + header->count)
        return sizeError(path, header->bytes + header->count, *file);
    return IdxArray{std::move(header->shape),
                    {bytes.begin() + static_cast<std::ptrdiff_t>(header->bytes), bytes.end()}};
}

Expected<std::vector<std::int64_t>> checkIdxFile(const std::filesystem::path &path, std::size_t dimensions)
{
    const Expected<UnpackedFile> start = unpackStart(path, 4 + 4 * dimensions);
    if (!start)
        return tl::unexpected(start.error());
    Expected<Header> header = parseHeader(path, dimensions, *start);
    if (header && promisedSize(path) == header->bytes + header->count)
        return std::move(header->shape);
    // Something is wrong, or the trailer describes only a part of the file: reading it all tells which.
    Expected<IdxArray> whole = readIdxFile(path, dimensions);
    if (!whole)
        return tl::unexpected(whole.error());
    return std::move(whole->shape);
}

}  // namespace sweepscope::data
