// SPDX-License-Identifier: MIT
#include "feed/ringdraining.h"

#include "base/clock.h"
#include "feed/feedreader.h"
#include "feed/ringtail.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope::feed::draining {

namespace {

/// How much of a log is read to find out where its last whole record ends.
constexpr std::uint64_t lookBackBytes = 1024 * 1024;

/// Of a log of `size` bytes, where its whole records end.
std::uint64_t endOfRecords(const std::filesystem::path &logPath, std::uint64_t size)
{
    FeedReader reader(logPath, {});
    if (size > lookBackBytes)
        reader.startAt({(size - lookBackBytes) / wordBytes * wordBytes, 0, {}});
    RecordVisitor nobody;
    while (reader.poll(nobody).value_or(0) > 0) {
    }
    return std::min(reader.offset(), size);
}

/// Half a record that zeros follow could be taken for a whole one with another value.
Expected<void> cutHalfARecord(int log, const std::filesystem::path &logPath, std::uint64_t drained)
{
    struct stat info {};
    if (::fstat(log, &info) != 0)
        return makeErrnoError("cannot save telemetry to " + logPath.string(), errno);
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size < drained && ::ftruncate(log, static_cast<off_t>(endOfRecords(logPath, size))) != 0)
        return makeErrnoError("cannot save telemetry to " + logPath.string(), errno);
    return {};
}

}  // namespace

Expected<std::uint64_t> moveToLog(const RingMapping &ring, std::uint64_t &drained, int log,
                                  const std::filesystem::path &logPath)
{
    // Acquire: the words below it are there.
    const std::uint64_t committed = ring.header().committed.load(std::memory_order_acquire);
    if (committed % wordBytes != 0 || committed < drained || committed - drained > ring.capacity())
        return makeError(ErrorCode::Corrupt, "the telemetry ring for " + logPath.string()
                                                 + " is damaged: its rank claims to have written up to offset "
                                                 + std::to_string(committed) + " when " + std::to_string(drained)
                                                 + " were saved; earlier data is in the log");
    if (drained < committed) {
        if (auto cut = cutHalfARecord(log, logPath, drained); !cut)
            return tl::unexpected(cut.error());
    }
    const std::uint64_t start = drained;
    while (drained < committed) {
        const std::uint64_t toWrap = ring.capacity() - (drained & (ring.capacity() - 1));
        // At its own offset, wherever the file ends by now: truncating the log does not move the bytes that follow.
        const ssize_t put =
            ::pwrite(log, ring.bytesAt(drained), std::min(committed - drained, toWrap), static_cast<off_t>(drained));
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EFAULT)  // what the kernel says instead of sending SIGBUS
            return makeError(ErrorCode::Corrupt, "the telemetry ring for " + logPath.string() + " was truncated");
        if (put <= 0)
            return makeErrnoError("cannot save telemetry to " + logPath.string(), put < 0 ? errno : ENOSPC);
        drained += static_cast<std::uint64_t>(put);
        // Release: a reader that sees it finds the bytes in the file, and the writer overwrites only what was read.
        ring.header().drained.store(drained, std::memory_order_release);
    }
    return drained - start;
}

void reportLastDrops(const RingMapping &ring, const std::filesystem::path &ringPath) noexcept
{
    // No other process writes while this one holds the writer's lock.
    if (!ring.lockForWriting(ringPath)
        || drops::reported(ring.header()) == ring.header().dropped.load(std::memory_order_relaxed))
        return;
    RingTail tail(ring);
    RingStretch stretch;
    if (tail.begin(0, wallNow(), stretch))
        tail.commit();
}

}  // namespace sweepscope::feed::draining
