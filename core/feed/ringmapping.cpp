// SPDX-License-Identifier: MIT
#include "feed/ringmapping.h"

#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::feed {

namespace {

tl::unexpected<Error> notARing(const std::filesystem::path &path, const std::string &why)
{
    return makeError(ErrorCode::Corrupt, path.string() + " is not a telemetry ring: " + why);
}

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;  // Linux 5.14
#endif

}  // namespace

RingMapping::RingMapping(FileDescriptor file, void *memory, std::uint64_t mappedBytes) noexcept
    : m_file(std::move(file)),
      m_header(static_cast<RingHeader *>(memory)),
      m_data(reinterpret_cast<std::uint64_t *>(static_cast<unsigned char *>(memory) + sizeof(RingHeader))),
      m_mappedBytes(mappedBytes)
{}

/// Allocates every page: the file may have been created with holes, and a store into a hole of a full tmpfs would end
/// this process.
Expected<void> RingMapping::makePresent(const std::filesystem::path &pathForMessage) const
{
    // Not posix_fallocate(), which writes where the file system does not know how: another process may be writing, too.
    if (::fallocate(m_file.get(), 0, 0, static_cast<off_t>(m_mappedBytes)) != 0 && errno != EOPNOTSUPP)
        return makeErrnoError("no space for the telemetry ring " + pathForMessage.string(), errno);
    if (::madvise(m_header, m_mappedBytes, MADV_POPULATE_WRITE) == 0)
        return {};
    if (errno != EINVAL)
        return makeErrnoError("no space for the telemetry ring " + pathForMessage.string(), errno);
    // Kernels before 5.14. Adding 0 keeps each word, even while another process changes it.
    for (std::uint64_t at = 0; at < m_capacity; at += sizeof(RingHeader))
        std::atomic_ref<std::uint64_t>(wordAt(at)).fetch_add(0, std::memory_order_relaxed);
    return {};
}

RingMapping::RingMapping(RingMapping &&other) noexcept
{
    *this = std::move(other);
}

RingMapping &RingMapping::operator=(RingMapping &&other) noexcept
{
    std::swap(m_file, other.m_file);
    std::swap(m_header, other.m_header);
    std::swap(m_data, other.m_data);
    std::swap(m_mappedBytes, other.m_mappedBytes);
    std::swap(m_capacity, other.m_capacity);
    std::swap(m_streamId, other.m_streamId);
    const std::sig_atomic_t lost = m_lost;
    m_lost = other.m_lost;
    other.m_lost = lost;
    return *this;
}

RingMapping::~RingMapping()
{
    if (m_header != nullptr)
        ::munmap(m_header, m_mappedBytes);
}

Expected<RingMapping> RingMapping::open(const std::filesystem::path &path, Access access)
{
    const int flags = access == Access::Read ? O_RDONLY : O_RDWR;
    FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file)
        return makeErrnoError("cannot open the telemetry ring " + path.string(), errno);
    struct stat info {};
    if (::fstat(file.get(), &info) != 0)
        return makeErrnoError("cannot read the telemetry ring " + path.string(), errno);
    if (!S_ISREG(info.st_mode))
        return notARing(path, "it is not a regular file");
    const auto fileBytes = static_cast<std::uint64_t>(info.st_size);
    if (fileBytes == 0)
        return makeError(ErrorCode::Unavailable, "the telemetry ring " + path.string() + " is not ready yet");
    if (fileBytes < sizeof(RingHeader))
        return notARing(path, "it has only " + std::to_string(fileBytes) + " bytes");

    const int protection = access == Access::Read ? PROT_READ : PROT_READ | PROT_WRITE;
    void *const memory = ::mmap(nullptr, fileBytes, protection, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED)
        return makeErrnoError("cannot map the telemetry ring " + path.string(), errno);
    RingMapping ring(std::move(file), memory, fileBytes);
    std::optional<Guard> guard;
    if (access != Access::ReadWriteTouched)
        guard.emplace(ring);

    // Acquire: everything that the creator wrote before it published the version.
    const std::uint32_t version = ring.m_header->version.load(std::memory_order_acquire);
    if (version == 0)
        return makeError(ErrorCode::Unavailable, "the telemetry ring " + path.string() + " is not ready yet");
    if (std::memcmp(ring.m_header->magic, magic, sizeof magic) != 0)
        return notARing(path, "it does not start with SWSCFEED");
    if (version > formatVersion)
        return makeError(ErrorCode::Unsupported, "the telemetry ring " + path.string() + " has format version "
                                                     + std::to_string(version) + ", but this program supports version "
                                                     + std::to_string(formatVersion) + "; use a newer Sweepscope");
    const std::uint64_t capacity = ring.m_header->capacity;
    if (ring.m_header->headerBytes != sizeof(RingHeader) || !std::has_single_bit(capacity) || capacity < minRingBytes
        || capacity > maxRingBytes)
        return notARing(path, "its sizes are invalid (capacity " + std::to_string(capacity) + ")");
    if (fileBytes < sizeof(RingHeader) + capacity)
        return notARing(path, "it should have " + std::to_string(sizeof(RingHeader) + capacity) + " bytes but has "
                                  + std::to_string(fileBytes));
    ring.m_capacity = capacity;
    ring.m_streamId = ring.m_header->streamId;
    if (access == Access::ReadWriteTouched) {
        if (auto present = ring.makePresent(path); !present)
            return tl::unexpected(present.error());
    }
    return ring;
}

Expected<RingMapping> RingMapping::create(const std::filesystem::path &path, std::uint64_t capacity)
{
    FileDescriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file)
        return makeErrnoError("cannot create the telemetry ring " + path.string(), errno);
    const std::uint64_t bytes = sizeof(RingHeader) + capacity;
    // Reserved now: on a full tmpfs this fails, where a store into a hole would end the rank with SIGBUS.
    if (const int failed = ::posix_fallocate(file.get(), 0, static_cast<off_t>(bytes)); failed != 0) {
        ::unlink(path.c_str());
        return makeErrnoError(
            "no space for a telemetry ring of " + std::to_string(bytes) + " bytes at " + path.string(), failed);
    }
    void *const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED) {
        const int failed = errno;
        ::unlink(path.c_str());
        return makeErrnoError("cannot map the telemetry ring " + path.string(), failed);
    }
    RingMapping ring(std::move(file), memory, bytes);
    ring.m_capacity = capacity;
    return ring;
}

Expected<void> RingMapping::checkFile(bool &unlinked) const
{
    struct stat info {};
    if (::fstat(m_file.get(), &info) != 0)
        return makeErrnoError("cannot inspect the telemetry ring", errno);
    unlinked = info.st_nlink == 0;
    if (m_lost != 0)
        return makeError(ErrorCode::Corrupt, "the telemetry ring was truncated while it was being read");
    if (static_cast<std::uint64_t>(info.st_size) < m_mappedBytes)
        return makeError(ErrorCode::Corrupt, "the telemetry ring was truncated from " + std::to_string(m_mappedBytes)
                                                 + " to " + std::to_string(info.st_size) + " bytes");
    return {};
}

Expected<void> RingMapping::lockForWriting(const std::filesystem::path &pathForMessage) const
{
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    if (::fcntl(m_file.get(), F_SETLK, &lock) == 0)
        return {};
    if (errno == EACCES || errno == EAGAIN)
        return makeError(ErrorCode::AlreadyExists,
                         "another process already reports to " + pathForMessage.string()
                             + "; only one process per rank can, so unset SWEEPSCOPE_RING for its children");
    return makeErrnoError("cannot lock the telemetry ring " + pathForMessage.string(), errno);
}

}  // namespace sweepscope::feed
