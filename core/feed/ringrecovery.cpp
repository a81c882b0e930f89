// SPDX-License-Identifier: MIT
#include "feed/ringrecovery.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "feed/logidentity.h"
#include "feed/ringdraining.h"
#include "feed/ringmapping.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope::feed {

namespace {

/// A larger gap means that the ring is wrong about where it begins, not that the log was truncated: filling it would
/// make every reader read gigabytes of zeros.
constexpr std::uint64_t mostLostBytes = std::uint64_t{4} << 30;

/// The link goes last: while it is there, what it points to can still be found and removed.
void removeRing(const std::filesystem::path &ringPath)
{
    std::error_code error;
    if (std::filesystem::is_symlink(ringPath, error)) {
        const std::filesystem::path target = std::filesystem::weakly_canonical(ringPath, error);
        if (!error)
            ::unlink(target.c_str());
    }
    ::unlink(ringPath.c_str());
}

/// Checks that log and ring are one stream and returns the offset to continue at: the log's end, or the ring's begin if
/// the log was truncated.
Expected<std::uint64_t> whereToGoOn(const RingMapping &ring, int log, const std::filesystem::path &logPath)
{
    struct stat info {};
    if (::fstat(log, &info) != 0)
        return makeErrnoError("cannot read " + logPath.string(), errno);
    const auto end = static_cast<std::uint64_t>(info.st_size);
    const std::uint64_t drained = ring.header().drained.load(std::memory_order_acquire);
    const std::uint64_t committed = ring.header().committed.load(std::memory_order_acquire);
    auto file = LogFile::open(logPath);
    if (file && file->packed())
        return makeError(ErrorCode::Corrupt, logPath.string() + " is compressed, but its ring still exists");
    const auto identity = file ? streamIdOfLog(*file) : std::nullopt;
    if (identity && *identity != ring.streamId())
        return makeError(ErrorCode::Corrupt, "the telemetry ring found for " + logPath.string()
                                                 + " belongs to another attempt, so it was ignored");
    const std::uint64_t begin = std::max(end, drained);
    if (begin > committed || committed - begin > ring.capacity() || begin - end > mostLostBytes)
        return makeError(ErrorCode::Corrupt, logPath.string() + " has " + std::to_string(end)
                                                 + " bytes, which does not match its ring with offsets "
                                                 + std::to_string(drained) + " to " + std::to_string(committed));
    return begin;
}

}  // namespace

Expected<std::uint64_t> recoverRing(const std::filesystem::path &ringPath, const std::filesystem::path &logPath)
{
    auto ring = RingMapping::open(ringPath, RingMapping::Access::ReadWrite);
    if (!ring) {
        const bool nothingToDo =
            ring.error().code == ErrorCode::NotFound || ring.error().code == ErrorCode::Unavailable;
        if (nothingToDo)
            removeRing(ringPath);  // a link to nowhere, or a ring whose agent died before any rank could have it
        return nothingToDo ? makeError(ErrorCode::NotFound, ring.error().message) : tl::unexpected(ring.error());
    }
    const RingMapping::Guard guard(*ring);
    ring->header().fenced.store(1, std::memory_order_relaxed);  // relaxed: a flag alone

    const auto opened = openRegularFile(logPath, O_RDWR | O_CREAT);
    if (!opened)
        return makeError(opened.error().code, "cannot finish a telemetry log: " + opened.error().message);
    const FileDescriptor &log = *opened;
    auto end = whereToGoOn(*ring, log.get(), logPath);
    if (!end)
        return tl::unexpected(end.error());

    // From the file's true end, not from the ring's `drained`: the agent may have died between write() and store.
    std::uint64_t drained = *end;
    ring->header().drained.store(drained, std::memory_order_release);  // as after every write()
    auto moved = draining::moveToLog(*ring, drained, log.get(), logPath);
    if (!moved)
        return moved;
    draining::reportLastDrops(*ring, ringPath);
    if (auto last = draining::moveToLog(*ring, drained, log.get(), logPath); !last)
        return last;
    removeRing(ringPath);
    return drained - *end;
}

}  // namespace sweepscope::feed
