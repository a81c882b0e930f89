// SPDX-License-Identifier: MIT
#include "feed/logfile.h"

#include "feed/packedblock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope::feed {

namespace {

/// Until `out` is full or the file ends.
Expected<std::size_t> readAt(int file, std::uint64_t from, std::span<unsigned char> out)
{
    std::size_t have = 0;
    while (have < out.size()) {
        const ssize_t got = ::pread(file, out.data() + have, out.size() - have, static_cast<off_t>(from + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return makeErrnoError("cannot read the telemetry log", errno);
        if (got == 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    return have;
}

template <typename T>
bool readObject(int file, std::uint64_t from, T &object)
{
    const auto got = readAt(file, from, {reinterpret_cast<unsigned char *>(&object), sizeof object});
    return got && *got == sizeof object;
}

}  // namespace

Expected<LogFile> LogFile::open(const std::filesystem::path &path)
{
    LogFile log;
    log.m_file = FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!log.m_file)
        return makeErrnoError("cannot open the telemetry log " + path.string(), errno);
    struct stat info {};
    if (::fstat(log.m_file.get(), &info) != 0)
        return makeErrnoError("cannot read the telemetry log " + path.string(), errno);
    if (!S_ISREG(info.st_mode))
        return makeError(ErrorCode::BadInput, path.string() + " is not a regular file, so it is no telemetry log");
    char magic[sizeof packing::packedMagic] = {};
    log.m_packed =
        readObject(log.m_file.get(), 0, magic) && std::memcmp(magic, packing::packedMagic, sizeof magic) == 0;
    if (log.m_packed) {
        if (auto found = log.findBlocks(path); !found)
            return tl::unexpected(found.error());
    }
    return log;
}

Expected<void> LogFile::findBlocks(const std::filesystem::path &path)
{
    std::uint32_t version = 0;
    if (!readObject(m_file.get(), sizeof packing::packedMagic, version) || version == 0)
        return makeError(ErrorCode::Corrupt, path.string() + " is cut or damaged at its start");
    if (version > packing::packedVersion)
        return makeError(ErrorCode::Unsupported, path.string() + " is compressed in version " + std::to_string(version)
                                                     + ", and this program reads up to version "
                                                     + std::to_string(packing::packedVersion)
                                                     + "; use a newer Sweepscope");
    struct stat info {};
    if (::fstat(m_file.get(), &info) != 0)
        return makeErrnoError("cannot read the telemetry log " + path.string(), errno);
    const auto fileBytes = static_cast<std::uint64_t>(info.st_size);
    for (std::uint64_t at = packing::packedHeaderBytes;;) {
        packing::BlockHeader header{};
        const bool whole = readObject(m_file.get(), at, header);
        if (whole && header.method == packing::Method::End)
            return {};
        if (!whole || header.rawBytes == 0 || header.rawBytes > packing::maxBlockBytes
            || header.packedBytes > fileBytes - at - sizeof header) {
            m_damage = Error{ErrorCode::Corrupt, path.string() + " is cut or damaged at its byte " + std::to_string(at)
                                                     + ", which is offset " + std::to_string(m_streamBytes)
                                                     + " of the stream; everything before it was read"};
            return {};
        }
        m_blocks.push_back({m_streamBytes, at});
        m_streamBytes += header.rawBytes;
        at += sizeof header + header.packedBytes;
    }
}

Expected<std::uint64_t> LogFile::size() const
{
    if (m_packed)
        return m_streamBytes;
    struct stat info {};
    if (::fstat(m_file.get(), &info) != 0)
        return makeErrnoError("cannot read the telemetry log", errno);
    return static_cast<std::uint64_t>(info.st_size);
}

Expected<std::size_t> LogFile::read(std::uint64_t from, std::span<unsigned char> out)
{
    if (!m_packed)
        return readAt(m_file.get(), from, out);
    std::size_t have = 0;
    while (have < out.size() && from + have < m_streamBytes) {
        const std::uint64_t at = from + have;
        const auto after =
            std::upper_bound(m_blocks.begin(), m_blocks.end(), at,
                             [](std::uint64_t offset, const Block &b) { return offset < b.streamOffset; });
        const auto block = static_cast<std::size_t>(after - m_blocks.begin()) - 1;
        if (auto unpacked = unpack(block); !unpacked) {
            noteHole(block, unpacked.error());
            break;
        }
        const std::size_t skip = at - m_blocks[block].streamOffset;
        const std::size_t part = std::min(out.size() - have, m_unpacked.size() - skip);
        std::memcpy(out.data() + have, m_unpacked.data() + skip, part);
        have += part;
    }
    return have;
}

void LogFile::noteHole(std::size_t block, const Error &why)
{
    const Hole hole{m_blocks[block].streamOffset, endOf(block), why};
    const auto after = std::lower_bound(m_holes.begin(), m_holes.end(), hole.begin,
                                        [](const Hole &known, std::uint64_t begin) { return known.begin < begin; });
    if (after == m_holes.end() || after->begin != hole.begin)
        m_holes.insert(after, hole);
}

const LogFile::Hole *LogFile::holeAfter(std::uint64_t from) const noexcept
{
    const auto found =
        std::find_if(m_holes.begin(), m_holes.end(), [from](const Hole &hole) { return hole.end > from; });
    return found == m_holes.end() ? nullptr : &*found;
}

std::uint64_t LogFile::endOf(std::size_t block) const
{
    return block + 1 < m_blocks.size() ? m_blocks[block + 1].streamOffset : m_streamBytes;
}

Expected<void> LogFile::unpack(std::size_t block)
{
    if (m_unpackedBlock == block && !m_unpacked.empty())
        return {};
    const auto [streamOffset, fileOffset] = m_blocks[block];
    packing::BlockHeader header{};
    std::vector<unsigned char> content;
    Expected<std::vector<unsigned char>> records = makeError(ErrorCode::Corrupt, "a compressed part is cut");
    if (readObject(m_file.get(), fileOffset, header) && header.rawBytes == endOf(block) - streamOffset) {
        content.resize(std::min<std::size_t>(header.packedBytes, 2 * packing::maxBlockBytes));
        const auto got = readAt(m_file.get(), fileOffset + sizeof header, content);
        if (got && *got == header.packedBytes)
            records = packing::unpackBlock(header, content);
    }
    if (!records)
        return makeError(records.error().code,
                         records.error().message + " (offset " + std::to_string(streamOffset) + " of the stream)");
    m_unpacked = std::move(*records);
    m_unpackedBlock = block;
    return {};
}

}  // namespace sweepscope::feed
