// SPDX-License-Identifier: MIT
#include "feed/logpacking.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "feed/blocktable.h"
#include "feed/logfile.h"
#include "feed/packedblock.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace sweepscope::feed {

namespace {

using Bytes = std::span<const unsigned char>;

/// Less is one page of the disk or a few, compressed or not.
constexpr std::uint64_t worthwhileBytes = 16 * 1024;
/// What goes into one block. Less unpacks sooner, more gets smaller.
constexpr std::size_t blockBytes = 256 * 1024;
static_assert(blockBytes <= packing::maxBlockBytes);

/// A file that goes away unless it takes another one's name, also when this process is killed: it has no name before.
/// Where the file system has no such files, it has one from the start, which a kill leaves behind.
class Draft {
public:
    explicit Draft(const std::filesystem::path &target) : m_path(target.string() + ".packing")
    {
        const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
        m_file = FileDescriptor(::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644));
        if (m_file)
            return;
        m_file = openRegularFile(m_path, O_WRONLY | O_CREAT | O_TRUNC).value_or(FileDescriptor());
        m_named = static_cast<bool>(m_file);
    }
    ~Draft()
    {
        if (m_named)
            ::unlink(m_path.c_str());
    }
    Draft(const Draft &) = delete;
    Draft &operator=(const Draft &) = delete;

    explicit operator bool() const { return static_cast<bool>(m_file); }
    std::uint64_t bytes() const { return m_bytes; }

    bool write(Bytes bytes)
    {
        while (!bytes.empty()) {
            const ssize_t put = ::write(m_file.get(), bytes.data(), bytes.size());
            if (put < 0 && errno == EINTR)
                continue;
            if (put <= 0)
                return false;
            bytes = bytes.subspan(static_cast<std::size_t>(put));
            m_bytes += static_cast<std::uint64_t>(put);
        }
        return true;
    }
    template <typename T>
    bool writeObject(const T &object)
    {
        return write({reinterpret_cast<const unsigned char *>(&object), sizeof object});
    }
    bool replace(const std::filesystem::path &target, mode_t mode)
    {
        if (::fchmod(m_file.get(), mode) != 0 || ::fsync(m_file.get()) != 0 || !takeName()
            || ::rename(m_path.c_str(), target.c_str()) != 0)
            return false;
        m_named = false;
        m_file.reset();
        return true;
    }

private:
    bool takeName()
    {
        if (m_named)
            return true;
        ::unlink(m_path.c_str());  // left by a process that was killed
        const std::string self = "/proc/self/fd/" + std::to_string(m_file.get());
        m_named = ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, m_path.c_str(), AT_SYMLINK_FOLLOW) == 0;
        return m_named;
    }

    std::string m_path;
    FileDescriptor m_file;
    bool m_named = false;
    std::uint64_t m_bytes = 0;
};

/// A block that was unpacked again and compared.
Expected<std::vector<unsigned char>> provenBlock(Bytes records)
{
    auto block = packing::packBlock(records);
    if (block.empty())
        return makeError(ErrorCode::Unavailable, "not enough memory to compress a telemetry log");
    packing::BlockHeader header{};
    std::memcpy(&header, block.data(), sizeof header);
    const auto again = packing::unpackBlock(header, Bytes(block).subspan(sizeof header));
    if (!again || !std::equal(again->begin(), again->end(), records.begin(), records.end()))
        return makeError(ErrorCode::Corrupt,
                         "a telemetry log could not be compressed without loss, so it is kept unchanged");
    return block;
}

Expected<void> packInto(Draft &draft, LogFile &log, std::uint64_t streamBytes, const std::string &logName)
{
    const auto failed = [&] { return makeErrnoError("cannot compress " + logName, errno); };
    if (!draft || !draft.writeObject(packing::packedMagic) || !draft.writeObject(packing::packedVersion)
        || !draft.writeObject(std::uint32_t{0}))
        return failed();
    std::vector<unsigned char> records(blockBytes);
    std::vector<packing::BlockHeader> blocks;
    for (std::uint64_t at = 0; at < streamBytes; at += records.size()) {
        records.resize(std::min<std::uint64_t>(blockBytes, streamBytes - at));
        const auto got = log.read(at, records);
        if (!got)
            return tl::unexpected(got.error());
        if (*got != records.size())
            return makeError(ErrorCode::Unavailable, logName + " changed while it was being compressed");
        const auto block = provenBlock(records);
        if (!block)
            return tl::unexpected(block.error());
        if (!draft.write(*block))
            return failed();
        std::memcpy(&blocks.emplace_back(), block->data(), sizeof(packing::BlockHeader));
    }
    if (!draft.write(packing::endBlock(blocks)))
        return failed();
    return {};
}

}  // namespace

Expected<PackedSizes> packLog(const std::filesystem::path &logPath)
{
    auto log = LogFile::open(logPath);
    if (!log)
        return tl::unexpected(log.error());
    const auto size = log->size();
    if (!size)
        return tl::unexpected(size.error());
    if (log->packed() || *size < worthwhileBytes)
        return makeError(ErrorCode::Unsupported, logPath.string() + " is already compressed, or too small to compress");

    Draft draft(logPath);
    if (auto packed = packInto(draft, *log, *size, logPath.string()); !packed)
        return tl::unexpected(packed.error());
    struct stat now {};
    if (::stat(logPath.c_str(), &now) != 0 || static_cast<std::uint64_t>(now.st_size) != *size)
        return makeError(ErrorCode::Unavailable, logPath.string() + " changed while it was being compressed");
    if (!draft.replace(logPath, now.st_mode & 07777))
        return makeErrnoError("cannot compress " + logPath.string(), errno);
    return PackedSizes{*size, draft.bytes()};
}

}  // namespace sweepscope::feed
