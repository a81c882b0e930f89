// SPDX-License-Identifier: MIT
#include "feed/logfile.h"

#include "base/files.h"
#include "feed/blocktable.h"
#include "feed/format.h"
#include "feed/readat.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>

namespace sweepscope::feed {

namespace {

/// What a log that is not compressed begins with.
bool startsWithPreamble(int file)
{
    struct {
        RecordHeader header;
        char text[sizeof magic];
    } start{};
    return readObjectAt(file, 0, start) && start.header.kind == RecordKind::Preamble
           && std::memcmp(start.text, magic, sizeof magic) == 0;
}

}  // namespace

Expected<LogFile> LogFile::open(const std::filesystem::path &path)
{
    LogFile log;
    auto file = openRegularFile(path, O_RDONLY, Links::Follow);
    if (!file)
        return makeError(file.error().code, "no telemetry log: " + file.error().message);
    log.m_file = std::move(*file);
    struct stat info {};
    if (::fstat(log.m_file.get(), &info) != 0)
        return makeErrnoError("cannot read the telemetry log " + path.string(), errno);
    if (auto found = log.findBlocks(path, static_cast<std::uint64_t>(info.st_size)); !found)
        return tl::unexpected(found.error());
    return log;
}

/// If it is compressed. The table at its end says it even when the start is damaged.
Expected<void> LogFile::findBlocks(const std::filesystem::path &path, std::uint64_t fileBytes)
{
    if (startsWithPreamble(m_file.get()))
        return {};
    if (const auto table = packing::readBlockTable(m_file.get(), fileBytes)) {
        m_packed = true;
        for (const packing::BlockHeader &header : *table)
            addBlock(header);
        return {};
    }
    struct {
        char magic[sizeof packing::packedMagic];
        std::uint32_t version;
    } start{};
    const bool whole = readObjectAt(m_file.get(), 0, start);
    m_packed = std::memcmp(start.magic, packing::packedMagic, sizeof start.magic) == 0;
    if (!m_packed)
        return {};
    if (!whole || start.version == 0)
        return makeError(ErrorCode::Corrupt, path.string() + " is truncated or damaged at its start");
    if (start.version > packing::packedVersion)
        return makeError(ErrorCode::Unsupported,
                         path.string() + " is compressed in format version " + std::to_string(start.version)
                             + ", but this program reads only up to version " + std::to_string(packing::packedVersion)
                             + "; use a newer Sweepscope");
    walkOverBlocks(path, fileBytes);
    return {};
}

/// From one to the next: there is no table, or it is damaged.
void LogFile::walkOverBlocks(const std::filesystem::path &path, std::uint64_t fileBytes)
{
    for (;;) {
        packing::BlockHeader header{};
        const bool whole = readObjectAt(m_file.get(), m_blocksEnd, header);
        if (whole && header.method == packing::Method::End)
            return;
        if (!whole || header.rawBytes == 0 || header.rawBytes > packing::maxBlockBytes
            || header.packedBytes > fileBytes - m_blocksEnd - sizeof header) {
            m_damage = Error{ErrorCode::Corrupt, path.string() + " is truncated or damaged at byte "
                                                     + std::to_string(m_blocksEnd) + ", which is offset "
                                                     + std::to_string(m_streamBytes)
                                                     + " of the stream; everything before it was read"};
            return;
        }
        addBlock(header);
    }
}

void LogFile::addBlock(const packing::BlockHeader &header)
{
    m_blocks.push_back({m_streamBytes, m_blocksEnd, header});
    m_streamBytes += header.rawBytes;
    m_blocksEnd += sizeof header + header.packedBytes;
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
    const auto &[streamOffset, fileOffset, header] = m_blocks[block];
    std::vector<unsigned char> content(std::min<std::size_t>(header.packedBytes, 2 * packing::maxBlockBytes));
    const auto got = readAt(m_file.get(), fileOffset + sizeof header, content);
    auto records =
        got && *got == header.packedBytes
            ? packing::unpackBlock(header, content)
            : Expected<std::vector<unsigned char>>(makeError(ErrorCode::Corrupt, "a compressed part is truncated"));
    if (!records)
        return makeError(records.error().code,
                         records.error().message + " (offset " + std::to_string(streamOffset) + " of the stream)");
    m_unpacked = std::move(*records);
    m_unpackedBlock = block;
    return {};
}

}  // namespace sweepscope::feed
