// SPDX-License-Identifier: MIT
#include "feed/ringdraining.h"

#include "base/clock.h"
#include "feed/ringtail.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <unistd.h>

namespace sweepscope::feed::draining {

Expected<std::uint64_t> moveToLog(const RingMapping &ring, std::uint64_t &drained, int log,
                                  const std::filesystem::path &logPath)
{
    // Acquire: the words below it are there.
    const std::uint64_t committed = ring.header().committed.load(std::memory_order_acquire);
    if (committed % wordBytes != 0 || committed < drained || committed - drained > ring.capacity())
        return makeError(ErrorCode::Corrupt, "the telemetry ring for " + logPath.string()
                                                 + " is damaged: its rank says it wrote up to offset "
                                                 + std::to_string(committed) + " when " + std::to_string(drained)
                                                 + " were saved; what came before is in the log");
    const std::uint64_t start = drained;
    while (drained < committed) {
        const std::uint64_t toWrap = ring.capacity() - (drained & (ring.capacity() - 1));
        // At its offset, wherever the file ends by now: what somebody cuts off the log moves nothing that comes after.
        const ssize_t put =
            ::pwrite(log, ring.bytesAt(drained), std::min(committed - drained, toWrap), static_cast<off_t>(drained));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return makeErrnoError("cannot save telemetry to " + logPath.string(), put < 0 ? errno : ENOSPC);
        drained += static_cast<std::uint64_t>(put);
        // Release: a reader that sees it finds the bytes in the file, and the writer overwrites only what was read.
        ring.header().drained.store(drained, std::memory_order_release);
    }
    return drained - start;
}

void tellLastDrops(const RingMapping &ring, const std::filesystem::path &ringPath) noexcept
{
    // With the writer's lock in our hands there is nobody else who writes.
    if (!ring.lockForWriting(ringPath)
        || drops::told(ring.header()) == ring.header().dropped.load(std::memory_order_relaxed))
        return;
    RingTail tail(ring);
    RingStretch stretch;
    if (tail.begin(0, wallNow(), stretch))
        tail.commit(stretch);
}

}  // namespace sweepscope::feed::draining
