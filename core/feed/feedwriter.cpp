// SPDX-License-Identifier: MIT
#include "feed/feedwriter.h"

#include "base/clock.h"
#include "feed/ringtail.h"
#include "feed/seriesids.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace sweepscope::feed {

struct FeedWriter::State {
    /// A declaration that found no room waits here for the series' next point.
    struct Waiting {
        std::string name;
        std::string unit;
        bool written = false;
    };

    explicit State(RingMapping mapping)
        : ring(std::move(mapping)),
          tail(ring),
          firstId(static_cast<std::uint16_t>(
              std::min<std::uint32_t>(ring.header().seriesCount.load(std::memory_order_relaxed), noSeries))),
          ids(firstId)
    {}

    bool declareInRing(Waiting &waiting, std::uint16_t id) noexcept
    {
        if (tail.fenced() || !tail.begin(encoding::seriesBytes(waiting.name, waiting.unit), wallNow()))
            return false;
        encoding::putSeries(tail, id, waiting.name, waiting.unit);
        tail.commit();
        waiting.written = true;
        return true;
    }

    RingMapping ring;
    RingTail tail;
    std::uint16_t firstId;
    SeriesIds ids;
    std::vector<Waiting> declared;  ///< of id firstId + index
    std::int64_t stepBase = 0;
    bool stepBaseKnown = false;  ///< not what an earlier writer of this ring left
};

FeedWriter::FeedWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
FeedWriter::FeedWriter(FeedWriter &&) noexcept = default;
FeedWriter &FeedWriter::operator=(FeedWriter &&) noexcept = default;

FeedWriter::~FeedWriter()
{
    // An empty group: only the gap record, if drops are still untold.
    if (m_state && !m_state->tail.fenced() && m_state->tail.begin(0, wallNow()))
        m_state->tail.commit();
}

Expected<FeedWriter> FeedWriter::open(const std::filesystem::path &ringPath)
{
    auto ring = RingMapping::open(ringPath, RingMapping::Access::ReadWriteTouched);
    if (!ring)
        return tl::unexpected(ring.error());
    if (auto locked = ring->lockForWriting(ringPath); !locked)
        return tl::unexpected(locked.error());
    const std::uint64_t drained = ring->header().drained.load(std::memory_order_acquire);
    const std::uint64_t committed = ring->header().committed.load(std::memory_order_acquire);
    if (committed % wordBytes != 0 || drained > committed || committed - drained > ring->capacity())
        return makeError(ErrorCode::Corrupt, "the telemetry ring " + ringPath.string()
                                                 + " is damaged: its counters are " + std::to_string(drained) + " and "
                                                 + std::to_string(committed));
    return FeedWriter(std::make_unique<State>(std::move(*ring)));
}

Expected<FeedWriter> FeedWriter::openFromEnvironment()
{
    const char *path = std::getenv("SWEEPSCOPE_RING");
    if (path == nullptr || path[0] == '\0')
        return makeError(
            ErrorCode::NotFound,
            "SWEEPSCOPE_RING is not set: this process was not started by Sweepscope, so nothing is reported");
    return open(path);
}

std::uint16_t FeedWriter::declare(std::string_view name, std::string_view unit)
{
    State &s = *m_state;
    const SeriesIds::Given given = s.ids.idOf(name);
    if (given.isNew) {
        // Relaxed, and before the declaration is committed: a later writer finds it at least as high as any id in use.
        s.ring.header().seriesCount.store(s.ids.next(), std::memory_order_relaxed);
        s.declared.push_back({std::string(encoding::cutText(name, maxNameBytes)),
                              std::string(encoding::cutText(unit, maxUnitBytes)), false});
        s.declareInRing(s.declared.back(), given.id);
    }
    return given.id;
}

void FeedWriter::write(std::uint16_t series, std::int64_t step, double value) noexcept
{
    State &s = *m_state;
    if (s.tail.fenced())
        return;
    const std::size_t index = static_cast<std::size_t>(series) - s.firstId;
    if (series < s.firstId || index >= s.declared.size()) {
        s.tail.countDrop();
        return;
    }
    if (!s.declared[index].written && !s.declareInRing(s.declared[index], series)) {
        s.tail.countDrop();
        return;
    }
    const WallNs now = wallNow();
    const std::int64_t base = encoding::stepBaseOf(step);
    const bool newBase = !s.stepBaseKnown || base != s.stepBase;
    if (!s.tail.begin(pointBytes + (newBase ? encoding::stepBaseBytes : 0), now)) {
        s.tail.countDrop();
        return;
    }
    if (newBase) {
        encoding::putStepBase(s.tail, base);
        s.stepBase = base;
        s.stepBaseKnown = true;
    }
    encoding::putPoint(s.tail, {series, step, now, value});
    s.tail.commit();
}

void FeedWriter::event(EventKind kind, std::int64_t step, std::string_view text) noexcept
{
    State &s = *m_state;
    if (s.tail.fenced())
        return;
    text = encoding::cutText(text, maxEventTextBytes);
    const WallNs now = wallNow();
    if (!s.tail.begin(encoding::eventBytes(text), now)) {
        s.tail.countDrop();
        return;
    }
    encoding::putEvent(s.tail, kind, now, step, text);
    s.tail.commit();
}

bool FeedWriter::stopRequested() const noexcept
{
    // Relaxed: a flag alone, nothing is read that was written before it.
    return m_state->ring.header().stopRequested.load(std::memory_order_relaxed) != 0;
}

std::uint64_t FeedWriter::dropped() const noexcept
{
    return m_state->ring.header().dropped.load(std::memory_order_relaxed);  // relaxed: our own counter
}

}  // namespace sweepscope::feed
