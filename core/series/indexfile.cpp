#include "series/indexfile.h"

#include "base/files.h"
#include "base/samefile.h"
#include "series/indexencoding.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope::series {

namespace {

constexpr std::uint64_t maxDirectoryBytes = std::uint64_t{1} << 30U;

std::uint32_t slotChecksum(IndexSlot slot)
{
    slot.checksum = 0;
    return checksumOf({reinterpret_cast<const unsigned char *>(&slot), sizeof slot});
}

bool isWhole(const IndexSlot &slot)
{
    return std::memcmp(slot.magic, indexMagic, sizeof indexMagic) == 0 && slot.checksum == slotChecksum(slot);
}

std::uint64_t padded(std::uint64_t bytes)
{
    return (bytes + 7) & ~std::uint64_t{7};
}

/// A file at which the path still points, with its lock.
Expected<bool> lock(const FileDescriptor &file, const std::filesystem::path &path)
{
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
        return makeError(ErrorCode::AlreadyExists, path.string() + " is being written by another process");
    return isNamed(file, path);
}

}  // namespace

Expected<IndexFile> IndexFile::open(const std::filesystem::path &path)
{
    auto file = openRegularFile(path, O_RDONLY);
    if (!file)
        return tl::unexpected(file.error());
    return IndexFile(std::move(*file), path);
}

Expected<IndexFile> IndexFile::openForWriting(const std::filesystem::path &path)
{
    auto opened = openRegularFile(path, O_RDWR);
    if (!opened)
        return tl::unexpected(opened.error());
    FileDescriptor file = std::move(*opened);
    const auto locked = lock(file, path);
    if (!locked)
        return tl::unexpected(locked.error());
    if (!*locked)
        return makeError(ErrorCode::AlreadyExists, path.string() + " was replaced by another process");
    IndexFile index(std::move(file), path);
    index.m_ours = true;
    return index;
}

Expected<IndexFile> IndexFile::create(const std::filesystem::path &path)
{
    // Readers of the old one keep it: its blocks stay where they are.
    if (const FileDescriptor old{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)}; old) {
        if (const auto locked = lock(old, path); !locked)
            return tl::unexpected(locked.error());
        ::unlink(path.c_str());
    }
    FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file)
        return makeErrnoError("cannot create the index " + path.string(), errno);
    const auto locked = lock(file, path);
    if (!locked)
        return tl::unexpected(locked.error());
    IndexFile index(std::move(file), path);
    index.m_ours = true;
    std::memcpy(index.m_slot.magic, indexMagic, sizeof indexMagic);
    index.m_slot.version = indexVersion;
    index.m_slot.end = indexDataOffset;
    return index;
}

bool IndexFile::isStillNamed() const
{
    return sweepscope::isNamed(m_file, m_path);
}

Expected<std::uint64_t> IndexFile::covered()
{
    if (auto slot = loadSlot(); !slot)
        return tl::unexpected(slot.error());
    return m_slot.covered;
}

Expected<FileDescriptor> IndexFile::descriptor() const
{
    FileDescriptor copy(::fcntl(m_file.get(), F_DUPFD_CLOEXEC, 0));
    if (!copy)
        return makeErrnoError("cannot read the index " + m_path.string(), errno);
    return copy;
}

tl::unexpected<Error> IndexFile::corrupt(const std::string &what) const
{
    return makeError(ErrorCode::Corrupt, "the index " + m_path.string() + " is damaged: " + what);
}

Expected<void> IndexFile::loadSlot()
{
    std::array<unsigned char, indexDataOffset> untrusted{};
    const ssize_t got = ::pread(m_file.get(), untrusted.data(), untrusted.size(), 0);
    if (got != static_cast<ssize_t>(untrusted.size()))
        return corrupt("it has no header");
    bool found = false;
    for (const std::uint64_t offset : indexSlotOffset) {
        IndexSlot slot{};
        std::memcpy(&slot, untrusted.data() + offset, sizeof slot);
        if (!isWhole(slot) || (found && slot.sequence < m_slot.sequence))
            continue;
        m_slot = slot;
        found = true;
    }
    if (!found)
        return corrupt("both of its headers are damaged");
    if (m_slot.version != indexVersion)
        return makeError(ErrorCode::Unsupported, "the index " + m_path.string() + " has version "
                                                     + std::to_string(m_slot.version) + ", not "
                                                     + std::to_string(indexVersion));
    struct stat info {};
    if (::fstat(m_file.get(), &info) != 0 || !S_ISREG(info.st_mode))
        return corrupt("it is not a regular file");
    if (m_slot.end < indexDataOffset || m_slot.end > static_cast<std::uint64_t>(info.st_size))
        return corrupt("it is shorter than its header says");
    return {};
}

Expected<std::vector<unsigned char>> IndexFile::read(const Place &place) const
{
    if (place.bytes > maxDirectoryBytes || place.bytes > m_slot.end || place.offset > m_slot.end - place.bytes)
        return corrupt("a directory is outside the file");
    std::vector<unsigned char> untrusted(place.bytes);
    std::size_t have = 0;
    while (have < untrusted.size()) {
        const ssize_t got = ::pread(m_file.get(), untrusted.data() + have, untrusted.size() - have,
                                    static_cast<off_t>(place.offset + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return corrupt("a directory cannot be read");
        have += static_cast<std::size_t>(got);
    }
    if (checksumOf(untrusted) != place.checksum)
        return corrupt("a directory at " + std::to_string(place.offset) + " does not match its checksum");
    return untrusted;
}

/// Those after the last one that was handed out, oldest first.
Expected<std::vector<IndexFile::Place>> IndexFile::directories() const
{
    std::vector<Place> places;
    Place next{m_slot.directory, m_slot.directoryBytes, m_slot.directoryChecksum};
    while (next.offset != 0 && next.offset != m_loaded) {
        if (!places.empty() && next.offset >= places.back().offset)
            return corrupt("its directories are not in order");
        places.push_back(next);
        if (next.bytes < sizeof(IndexDirectory))
            return corrupt("a directory is too short");
        IndexDirectory header{};
        if (::pread(m_file.get(), &header, sizeof header, static_cast<off_t>(next.offset)) != sizeof header)
            return corrupt("a directory cannot be read");
        next = {header.previous, header.previousBytes, header.previousChecksum};
    }
    if (next.offset != m_loaded)
        return corrupt("a directory is missing");
    std::reverse(places.begin(), places.end());
    return places;
}

Expected<IndexCheckpoint> IndexFile::load(IndexVisitor &visitor)
{
    if (auto slot = loadSlot(); !slot)
        return tl::unexpected(slot.error());
    const auto places = directories();
    if (!places)
        return tl::unexpected(places.error());
    std::vector<std::uint64_t> blocksOfSeries;
    if (!places->empty()) {
        const auto newest = read(places->back());
        if (!newest)
            return tl::unexpected(newest.error());
        DirectoryReader directory(*newest);
        blocksOfSeries = directory.blocksOfSeries();
    }
    for (const Place &place : *places) {
        if (auto loaded = loadDirectory(place, blocksOfSeries, visitor); !loaded)
            return tl::unexpected(loaded.error());
        m_loaded = place.offset;
    }
    IndexCheckpoint checkpoint;
    checkpoint.streamId = m_slot.streamId;
    checkpoint.covered = {m_slot.covered, m_slot.stepBase, {}};
    checkpoint.anchor = {m_slot.anchor, m_slot.anchorStepBase, {}};
    checkpoint.anchorPoints = m_slot.anchorPoints;
    checkpoint.anchorDigest = m_slot.anchorDigest;
    checkpoint.dropped = m_slot.dropped;
    if (checkpoint.anchor.offset > checkpoint.covered.offset)
        return corrupt("its anchor is past its end");
    return checkpoint;
}

Expected<void> IndexFile::loadDirectory(const Place &place, std::span<const std::uint64_t> blocksOfSeries,
                                        IndexVisitor &visitor) const
{
    const auto untrusted = read(place);
    if (!untrusted)
        return tl::unexpected(untrusted.error());
    DirectoryReader directory(*untrusted);
    feed::SeriesDeclaration declaration;
    while (directory.next(declaration))
        visitor.declaration(declaration);
    feed::Event event;
    while (directory.next(event))
        visitor.event(event);
    IndexedBlock entry{};
    while (directory.next(entry)) {
        const auto block = trustedBlock(entry, m_slot.end);
        // A vector is made as long as they say, and no file has more blocks than bytes.
        const std::uint64_t blocks = entry.series < blocksOfSeries.size()
                                         ? std::min(blocksOfSeries[entry.series], m_slot.end / sizeof entry)
                                         : 0;
        if (!block || !visitor.block(entry.series, *block, blocks))
            return corrupt("a block of series " + std::to_string(entry.series) + " is invalid");
    }
    if (!directory.isWhole())
        return corrupt("the directory at " + std::to_string(place.offset) + " does not match its header");
    return {};
}

Expected<void> IndexFile::write(std::span<const unsigned char> bytes, std::uint64_t offset) const
{
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t put =
            ::pwrite(m_file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return makeErrnoError("cannot write the index " + m_path.string(), put < 0 ? errno : ENOSPC);
        done += static_cast<std::size_t>(put);
    }
    return {};
}

Expected<std::uint64_t> IndexFile::append(const IndexBatch &batch, const IndexCheckpoint &checkpoint)
{
    const std::uint64_t bytesAt = m_slot.end;
    const std::uint64_t directoryAt = bytesAt + padded(batch.bytes.size());
    const std::vector<unsigned char> directory = encodeDirectory(
        batch, bytesAt, {m_slot.directory, m_slot.directoryBytes, m_slot.directoryChecksum, 0, 0, 0, 0});
    if (auto written = write(batch.bytes, bytesAt); !written)
        return tl::unexpected(written.error());
    if (auto written = write(directory, directoryAt); !written)
        return tl::unexpected(written.error());

    IndexSlot slot = m_slot;
    ++slot.sequence;
    slot.streamId = checkpoint.streamId;
    slot.covered = checkpoint.covered.offset;
    slot.stepBase = checkpoint.covered.stepBase;
    slot.dropped = checkpoint.dropped;
    slot.anchor = checkpoint.anchor.offset;
    slot.anchorStepBase = checkpoint.anchor.stepBase;
    slot.anchorPoints = checkpoint.anchorPoints;
    slot.anchorDigest = checkpoint.anchorDigest;
    slot.end = directoryAt + directory.size();
    slot.directory = directoryAt;
    slot.directoryBytes = directory.size();
    slot.directoryChecksum = checksumOf(directory);
    slot.checksum = slotChecksum(slot);
    // The page of the slots is written whole the first time, so that a reader never finds half of it.
    std::array<unsigned char, indexDataOffset> page{};
    const std::uint64_t slotAt = indexSlotOffset[slot.sequence % 2];
    std::memcpy(page.data() + slotAt, &slot, sizeof slot);
    const std::span<const unsigned char> all(page);
    const auto written = slot.sequence == 1 ? write(all, 0) : write(all.subspan(slotAt, sizeof slot), slotAt);
    if (!written)
        return tl::unexpected(written.error());
    m_slot = slot;
    return bytesAt;
}

}  // namespace sweepscope::series
