// SPDX-License-Identifier: MIT
#include "feed/ring.h"

#include "base/filedescriptor.h"
#include "feed/recordencoding.h"
#include "feed/ringdraining.h"
#include "feed/ringmapping.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace sweepscope::feed {

namespace {

bool isWritableFolder(const std::filesystem::path &path)
{
    std::error_code error;
    return std::filesystem::is_directory(path, error) && ::access(path.c_str(), W_OK | X_OK) == 0;
}

struct WordSink {
    std::vector<std::uint64_t> words;
    void put(std::uint64_t word) { words.push_back(word); }
};

/// Fill a new ring and publish it.
void publish(RingMapping &ring, const std::vector<std::uint64_t> &preamble)
{
    RingHeader &header = ring.header();
    const std::size_t bytes = preamble.size() * wordBytes;
    std::memcpy(header.magic, magic, sizeof magic);
    header.headerBytes = sizeof(RingHeader);
    header.capacity = ring.capacity();
    header.streamId = encoding::streamId(reinterpret_cast<const unsigned char *>(preamble.data()), bytes);
    for (std::size_t i = 0; i < preamble.size(); ++i)
        ring.storeWord(i * wordBytes, preamble[i]);
    header.committed.store(bytes, std::memory_order_release);  // as every commit
    // Release, and last: a reader that sees the version sees the rest.
    header.version.store(formatVersion, std::memory_order_release);
}

}  // namespace

std::filesystem::path ringFolder()
{
    if (isWritableFolder("/dev/shm"))
        return "/dev/shm";
    if (const char *runtime = std::getenv("XDG_RUNTIME_DIR"); runtime != nullptr && isWritableFolder(runtime))
        return runtime;
    std::error_code error;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
    return error ? std::filesystem::path("/tmp") : temporary;
}

struct RingDrain::State {
    std::filesystem::path ringPath;
    std::filesystem::path logPath;
    FileDescriptor log;
    RingMapping ring;
    std::uint64_t preambleEnd = 0;
    std::uint64_t drained = 0;  ///< ours; the header's copy is for others, who could scribble over it
};

RingDrain::RingDrain(std::unique_ptr<State> state) : m_state(std::move(state)) {}
RingDrain::RingDrain(RingDrain &&) noexcept = default;
RingDrain &RingDrain::operator=(RingDrain &&) noexcept = default;
RingDrain::~RingDrain() = default;

Expected<RingDrain> RingDrain::create(const std::filesystem::path &ringPath, const std::filesystem::path &logPath,
                                      const Preamble &preamble, std::uint64_t capacityBytes)
{
    if (encoding::preambleBytes(preamble.attemptId) > maxPreambleBytes
        || preamble.attemptId.find('\0') != std::string::npos)
        return makeError(ErrorCode::BadInput, "the attempt id is too long for a feed, or contains a zero byte");
    if (capacityBytes > maxRingBytes)
        return makeError(ErrorCode::BadInput,
                         "a telemetry ring of " + std::to_string(capacityBytes) + " bytes is larger than allowed");
    WordSink sink;
    encoding::putPreamble(sink, preamble);

    FileDescriptor log(::open(logPath.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!log)
        return makeErrnoError("cannot create the telemetry log " + logPath.string(), errno);
    auto ring = RingMapping::create(ringPath, std::bit_ceil(std::max(capacityBytes, minRingBytes)));
    if (!ring) {
        ::unlink(logPath.c_str());
        return tl::unexpected(ring.error());
    }
    publish(*ring, sink.words);
    return RingDrain(std::make_unique<State>(
        State{ringPath, logPath, std::move(log), std::move(*ring), sink.words.size() * wordBytes}));
}

Expected<std::uint64_t> RingDrain::drain()
{
    State &s = *m_state;
    const RingMapping::Guard guard(s.ring);
    bool unlinked = false;
    if (auto whole = s.ring.checkFile(unlinked); !whole)
        return tl::unexpected(whole.error());
    auto moved = draining::moveToLog(s.ring, s.drained, s.log.get(), s.logPath);
    if (auto whole = s.ring.checkFile(unlinked); !whole)  // zeros instead of counters say nothing about the rank
        return tl::unexpected(whole.error());
    return moved;
}

Expected<void> RingDrain::sync()
{
    if (m_state->drained > m_state->preambleEnd && ::fdatasync(m_state->log.get()) != 0)
        return makeErrnoError("cannot flush " + m_state->logPath.string() + " to disk", errno);
    return {};
}

std::uint64_t RingDrain::dropped() const noexcept
{
    const RingMapping::Guard guard(m_state->ring);
    return m_state->ring.header().dropped.load(std::memory_order_relaxed);  // relaxed: a figure
}

void RingDrain::requestStop() noexcept
{
    const RingMapping::Guard guard(m_state->ring);
    m_state->ring.header().stopRequested.store(1, std::memory_order_relaxed);  // relaxed: a flag alone
}

bool RingDrain::stopSeen() const noexcept
{
    const RingMapping::Guard guard(m_state->ring);
    return m_state->ring.header().stopSeen.load(std::memory_order_relaxed) != 0;  // relaxed: a flag alone
}

void RingDrain::fence() noexcept
{
    const RingMapping::Guard guard(m_state->ring);
    m_state->ring.header().fenced.store(1, std::memory_order_relaxed);  // relaxed: a flag alone
}

bool RingDrain::unlink() noexcept
{
    {
        const RingMapping::Guard guard(m_state->ring);
        draining::reportLastDrops(m_state->ring, m_state->ringPath);
    }
    // A full disk: the ring has the only copy, and recoverRing() finishes it. A damaged one has nothing more to give.
    if (const auto last = drain(); !last && last.error().code != ErrorCode::Corrupt)
        return false;
    ::unlink(m_state->ringPath.c_str());
    return true;
}

}  // namespace sweepscope::feed
