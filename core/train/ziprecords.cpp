#include "train/ziprecords.h"

#include "base/filedescriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

namespace sweepscope::train {

namespace {

using Bytes = std::span<const std::uint8_t>;

tl::unexpected<Error> damaged(const std::string &what)
{
    return makeError(ErrorCode::Corrupt, what);
}

/// Little-endian; the caller has checked that the bytes are there.
std::uint64_t number(Bytes bytes, std::size_t at, std::size_t size)
{
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
        value = value << 8U | bytes[at + i];
    return value;
}

bool starts(Bytes bytes, std::uint64_t at, std::uint64_t length, const char *signature)
{
    return at <= bytes.size() && length <= bytes.size() - at && std::equal(signature, signature + 4, bytes.data() + at);
}

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
};

std::optional<Directory> findDirectory(Bytes archive)
{
    constexpr std::uint64_t endSize = 22;
    constexpr std::uint64_t locatorSize = 20;
    constexpr std::uint64_t longestComment = 65'535;
    for (std::uint64_t back = endSize; back <= std::min<std::uint64_t>(archive.size(), endSize + longestComment);
         ++back) {
        const std::uint64_t end = archive.size() - back;
        if (!starts(archive, end, endSize, "PK\5\6"))
            continue;
        if (end >= locatorSize && starts(archive, end - locatorSize, locatorSize, "PK\6\7")) {
            const std::uint64_t wide = number(archive, end - locatorSize + 8, 8);
            if (!starts(archive, wide, 56, "PK\6\6"))
                return std::nullopt;
            return Directory{.offset = number(archive, wide + 48, 8), .count = number(archive, wide + 32, 8)};
        }
        return Directory{.offset = number(archive, end + 16, 4), .count = number(archive, end + 10, 2)};
    }
    return std::nullopt;
}

/// Takes from a zip64 field the values that do not fit into 32 bits.
bool widen(Bytes extra, std::span<std::uint64_t *const> values)
{
    constexpr std::uint64_t elsewhere = 0xffffffff;
    constexpr std::uint64_t zip64 = 1;
    if (std::ranges::none_of(values, [](const std::uint64_t *value) { return *value == elsewhere; }))
        return true;
    while (extra.size() >= 4) {
        const std::uint64_t length = number(extra, 2, 2);
        if (length > extra.size() - 4)
            return false;
        Bytes field = extra.subspan(4, length);
        if (number(extra, 0, 2) == zip64) {
            for (std::uint64_t *value : values) {
                if (*value != elsewhere)
                    continue;
                if (field.size() < 8)
                    return false;
                *value = number(field, 0, 8);
                field = field.subspan(8);
            }
            return true;
        }
        extra = extra.subspan(4 + length);
    }
    return false;
}

}  // namespace

Expected<std::vector<ZipRecord>> zipRecords(Bytes archive)
{
    constexpr std::uint64_t entrySize = 46;
    constexpr std::uint64_t headerSize = 30;
    const std::optional<Directory> directory = findDirectory(archive);
    if (!directory)
        return damaged("has no zip directory");
    std::vector<ZipRecord> records;
    std::uint64_t at = directory->offset;
    for (std::uint64_t i = 0; i < directory->count; ++i) {
        if (!starts(archive, at, entrySize, "PK\1\2"))
            return damaged("has a damaged zip directory");
        const std::uint64_t nameLength = number(archive, at + 28, 2);
        const std::uint64_t extraLength = number(archive, at + 30, 2);
        const std::uint64_t length = entrySize + nameLength + extraLength + number(archive, at + 32, 2);
        if (length > archive.size() - at)
            return damaged("has a damaged zip directory");
        ZipRecord record;
        record.name.assign(reinterpret_cast<const char *>(archive.data() + at + entrySize), nameLength);
        record.isCompressed = number(archive, at + 10, 2) != 0;
        record.crc = static_cast<std::uint32_t>(number(archive, at + 16, 4));
        record.size = number(archive, at + 20, 4);
        std::uint64_t unpacked = number(archive, at + 24, 4);
        std::uint64_t header = number(archive, at + 42, 4);
        if (!widen(archive.subspan(at + entrySize + nameLength, extraLength),
                   std::to_array<std::uint64_t *>({&unpacked, &record.size, &header}))
            || !starts(archive, header, headerSize, "PK\3\4"))
            return damaged("has a damaged zip directory");
        record.offset = header + headerSize + number(archive, header + 26, 2) + number(archive, header + 28, 2);
        if (record.offset > archive.size() || record.size > archive.size() - record.offset)
            return damaged("is truncated in " + record.name);
        records.push_back(std::move(record));
        at += length;
    }
    return records;
}

Expected<std::optional<std::string>> damagedRecord(Bytes archive)
{
    const Expected<std::vector<ZipRecord>> records = zipRecords(archive);
    if (!records)
        return tl::unexpected(records.error());
    for (const ZipRecord &record : *records) {
        const Bytes content = archive.subspan(record.offset, record.size);
        if (!record.isCompressed && crc32_z(0, content.data(), content.size()) != record.crc)
            return record.name;
    }
    return std::nullopt;
}

Expected<std::optional<std::string>> damagedRecord(const std::filesystem::path &path)
{
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0)
        return makeErrnoError("cannot read " + path.string(), errno);
    const auto size = static_cast<std::size_t>(status.st_size);
    void *mapped = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0) : MAP_FAILED;
    if (mapped == MAP_FAILED)
        return damaged("has no zip directory");
    auto found = damagedRecord(Bytes(static_cast<const std::uint8_t *>(mapped), size));
    munmap(mapped, size);
    return found;
}

}  // namespace sweepscope::train
