#include "data/unpackedfile.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <zlib.h>

namespace sweepscope::data {

namespace {

struct Close {
    void operator()(gzFile file) const { gzclose(file); }
};
using File = std::unique_ptr<std::remove_pointer_t<gzFile>, Close>;

Expected<File> open(const std::filesystem::path &path)
{
    errno = 0;
    File file(gzopen(path.c_str(), "rbe"));
    if (!file)
        return makeErrnoError("cannot read " + path.string(), errno != 0 ? errno : EIO);
    gzbuffer(file.get(), 1U << 18U);
    return file;
}

/// Why reading ended, when it did before it had to.
Expected<void> noteEnd(const File &file, const std::filesystem::path &path, UnpackedFile &unpacked)
{
    int code = Z_OK;
    const std::string text = gzerror(file.get(), &code);
    if (code == Z_BUF_ERROR)
        unpacked.cutOff = true;
    else if (code == Z_ERRNO)
        return makeErrnoError("cannot read " + path.string(), errno);
    else if (code != Z_OK && code != Z_STREAM_END)
        return makeError(ErrorCode::Corrupt, path.string() + " is damaged (" + text + "); download it again");
    return {};
}

/// Until the end of the file, or a little beyond `enough` bytes.
Expected<UnpackedFile> unpack(const std::filesystem::path &path, std::uint64_t enough, std::size_t chunk)
{
    const Expected<File> file = open(path);
    if (!file)
        return tl::unexpected(file.error());
    UnpackedFile unpacked;
    while (unpacked.bytes.size() <= enough) {
        const std::size_t used = unpacked.bytes.size();
        unpacked.bytes.resize(used + chunk);
        const int got = gzread(file->get(), unpacked.bytes.data() + used, static_cast<unsigned>(chunk));
        unpacked.bytes.resize(used + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got >= 0 && static_cast<std::size_t>(got) == chunk)
            continue;
        if (const Expected<void> ended = noteEnd(*file, path, unpacked); !ended)
            return tl::unexpected(ended.error());
        break;
    }
    return unpacked;
}

}  // namespace

Expected<UnpackedFile> unpackFile(const std::filesystem::path &path, std::uint64_t maxBytes)
{
    Expected<UnpackedFile> unpacked = unpack(path, maxBytes, std::size_t{1} << 20U);
    if (unpacked && unpacked->bytes.size() > maxBytes)
        return makeError(ErrorCode::BadInput, path.string() + " holds more than " + std::to_string(maxBytes)
                                                  + " bytes after unpacking, so it is not the expected file");
    return unpacked;
}

Expected<UnpackedFile> unpackStart(const std::filesystem::path &path, std::uint64_t bytes)
{
    Expected<UnpackedFile> unpacked = unpack(path, bytes, 4096);
    if (unpacked && unpacked->bytes.size() > bytes)
        unpacked->bytes.resize(bytes);
    return unpacked;
}

Expected<void> unpackInPieces(const std::filesystem::path &path,
                              const std::function<bool(std::span<const std::uint8_t>)> &take)
{
    const Expected<File> file = open(path);
    if (!file)
        return tl::unexpected(file.error());
    std::vector<std::uint8_t> piece(std::size_t{1} << 18U);
    for (;;) {
        const int got = gzread(file->get(), piece.data(), static_cast<unsigned>(piece.size()));
        const std::size_t size = got > 0 ? static_cast<std::size_t>(got) : 0;
        if (size > 0 && !take({piece.data(), size}))
            return {};
        if (size == piece.size())
            continue;
        UnpackedFile end;
        if (const Expected<void> ended = noteEnd(*file, path, end); !ended)
            return ended;
        if (end.cutOff)
            return makeError(ErrorCode::BadInput, path.string() + ": the file is truncated; download it again");
        return {};
    }
}

bool isGzipped(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::array<char, 2> start{};
    file.read(start.data(), start.size());
    return file.good() && start == std::array<char, 2>{'\x1f', '\x8b'};
}

std::optional<std::uint64_t> promisedSize(const std::filesystem::path &path)
{
    std::ifstream file(path, std::ios::binary);
    std::array<unsigned char, 4> end{};
    const bool gzipped = isGzipped(path);
    file.seekg(gzipped ? -static_cast<std::streamoff>(end.size()) : 0, std::ios::end);
    if (!file)
        return std::nullopt;
    if (!gzipped)
        return static_cast<std::uint64_t>(file.tellg());
    file.read(reinterpret_cast<char *>(end.data()), end.size());
    if (!file)
        return std::nullopt;
    return std::uint64_t{end[0]} | std::uint64_t{end[1]} << 8U | std::uint64_t{end[2]} << 16U
           | std::uint64_t{end[3]} << 24U;
}

}  // namespace sweepscope::data
