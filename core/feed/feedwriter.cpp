// SPDX-License-Identifier: MIT
#include "feed/feedwriter.h"

#include "base/clock.h"
#include "base/files.h"
#include "feed/forkcount.h"
#include "feed/ringtail.h"
#include "feed/seriesids.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

namespace sweepscope::feed {

using namespace std::chrono_literals;

namespace {

enum class Declaration : std::uint8_t {
    None,
    Waiting,  ///< found no room in the ring; the series' next point tries again
    InRing
};

constexpr auto ringPatience = 5s;
constexpr auto betweenTries = 50ms;

/// The agent reads the output of ranks that have been silent for a while, as when they load a large model. Asks it for the
/// ring, which takes a second or two. Returns false if that was done before: then another process of this rank has it.
bool asksForRing()
{
    const char *folder = std::getenv("SWEEPSCOPE_ATTEMPT_FOLDER");
    const char *rank = std::getenv("RANK");
    if (folder == nullptr)
        return false;
    const int number = rank == nullptr ? 0 : std::atoi(rank);
    const std::string request = std::string(folder) + "/rank-" + std::to_string(number) + ".reports";
    return openRegularFile(request, O_WRONLY | O_CREAT | O_EXCL).has_value();
}

}  // namespace

struct FeedWriter::State {
    struct Texts {
        std::string name;
        std::string unit;
    };

    explicit State(RingMapping mapping)
        : ring(std::move(mapping)),
          tail(ring),
          forks(forkCount()),
          ids(static_cast<std::uint16_t>(
              std::min<std::uint32_t>(ring.header().seriesCount.load(std::memory_order_relaxed), noSeries)))
    {}

    /// Relaxed: flags alone, nothing is read that was written before them.
    bool silent() const noexcept
    {
        return ring.header().fenced.load(std::memory_order_relaxed) != 0 || forks != forkCount();
    }

    /// `put` gets the sink for exactly `bytes`. False: no room.
    template <typename Put>
    bool append(std::size_t bytes, WallNs now, Put &&put) noexcept
    {
        RingStretch stretch;
        if (!tail.begin(bytes, now, stretch))
            return false;
        put(stretch);
        tail.commit();
        return true;
    }
    bool appendPoint(const Point &point) noexcept;
    [[gnu::noinline]] bool declareInRing(std::uint16_t series) noexcept;
    bool declareNow(std::uint16_t series, const Texts &texts) noexcept;

    RingMapping ring;
    RingTail tail;
    /// Several threads cannot agree on a step base, so it is 0 between records. What an earlier writer left is unknown.
    /// Relaxed: a thread that sees true reserves its record behind the one that set the base; RingTail orders the two.
    std::atomic<bool> stepBaseIsZero{false};
    const unsigned forks;
    /// Of every series id. Acquire and release: the declaration comes before the series' points in the ring.
    std::array<std::atomic<Declaration>, 0x10000> declarations{};

    std::mutex declaring;  ///< guards what is below
    SeriesIds ids;
    std::unordered_map<std::uint16_t, Texts> waiting;
};

bool FeedWriter::State::appendPoint(const Point &point) noexcept
{
    const std::int64_t base = encoding::stepBaseOf(point.step);
    const bool writesBase = base != 0 || !stepBaseIsZero.load(std::memory_order_relaxed);
    const std::size_t bytes =
        pointBytes + (writesBase ? encoding::stepBaseBytes : 0) + (base != 0 ? encoding::stepBaseBytes : 0);
    const bool good = append(bytes, point.timeNs, [&](RingStretch &stretch) {
        if (writesBase)
            encoding::putStepBase(stretch, base);
        encoding::putPoint(stretch, point);
        if (base != 0)
            encoding::putStepBase(stretch, 0);
    });
    if (good && writesBase)
        stepBaseIsZero.store(true, std::memory_order_relaxed);
    return good;
}

bool FeedWriter::State::declareNow(std::uint16_t series, const Texts &texts) noexcept
{
    const bool good = !silent() && append(encoding::seriesBytes(texts.name, texts.unit), wallNow(), [&](auto &sink) {
        encoding::putSeries(sink, series, texts.name, texts.unit);
    });
    declarations[series].store(good ? Declaration::InRing : Declaration::Waiting, std::memory_order_release);
    return good;
}

/// Declares again after the ring was full. Does not wait for a thread that is already doing so.
bool FeedWriter::State::declareInRing(std::uint16_t series) noexcept
{
    if (declarations[series].load(std::memory_order_relaxed) == Declaration::None)
        return false;
    const std::unique_lock lock(declaring, std::try_to_lock);
    if (!lock)
        return false;
    const auto texts = waiting.find(series);
    if (texts == waiting.end())
        return declarations[series].load(std::memory_order_relaxed) == Declaration::InRing;
    if (!declareNow(series, texts->second))
        return false;
    waiting.erase(texts);
    return true;
}

FeedWriter::FeedWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
FeedWriter::FeedWriter(FeedWriter &&) noexcept = default;
FeedWriter &FeedWriter::operator=(FeedWriter &&) noexcept = default;

FeedWriter::~FeedWriter()
{
    if (m_state && !m_state->silent())
        m_state->append(0, wallNow(), [](auto &) {});  // only the gap record, if drops are still untold
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
    countForks();
    return FeedWriter(std::make_unique<State>(std::move(*ring)));
}

Expected<FeedWriter> FeedWriter::openFromEnvironment()
{
    const char *path = std::getenv("SWEEPSCOPE_RING");
    if (path == nullptr || path[0] == '\0')
        return makeError(
            ErrorCode::NotFound,
            "SWEEPSCOPE_RING is not set: this process was not started by Sweepscope, so nothing is reported");
    Expected<FeedWriter> writer = open(path);
    if (writer || writer.error().code != ErrorCode::AlreadyExists || !asksForRing())
        return writer;
    const auto deadline = std::chrono::steady_clock::now() + ringPatience;
    while (!writer && writer.error().code == ErrorCode::AlreadyExists && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(betweenTries);
        writer = open(path);
    }
    return writer;
}

std::uint16_t FeedWriter::declare(std::string_view name, std::string_view unit)
{
    State &s = *m_state;
    const std::lock_guard lock(s.declaring);
    const SeriesIds::Given given = s.ids.idOf(name);
    if (given.isNew) {
        // Relaxed, and before the declaration is committed: a later writer finds it at least as high as any id in use.
        if (s.forks == forkCount())
            s.ring.header().seriesCount.store(s.ids.next(), std::memory_order_relaxed);
        State::Texts texts{std::string(encoding::cutText(name, maxNameBytes)),
                           std::string(encoding::cutText(unit, maxUnitBytes))};
        if (!s.declareNow(given.id, texts))
            s.waiting.emplace(given.id, std::move(texts));
    }
    return given.id;
}

void FeedWriter::write(std::uint16_t series, std::int64_t step, double value) noexcept
{
    // The clock first: reading it waits for the instructions before it, and those after it overlap.
    write(series, step, wallNow(), value);
}

void FeedWriter::write(std::uint16_t series, std::int64_t step, std::int64_t timeNs, double value) noexcept
{
    State &s = *m_state;
    if (s.silent())
        return;
    const bool declared = s.declarations[series].load(std::memory_order_acquire) == Declaration::InRing;
    if ((!declared && !s.declareInRing(series)) || !s.appendPoint({series, step, timeNs, value}))
        s.tail.countDrop();
}

void FeedWriter::event(EventKind kind, std::int64_t step, std::string_view text) noexcept
{
    State &s = *m_state;
    if (s.silent())
        return;
    text = encoding::cutText(text, maxEventTextBytes);
    const WallNs now = wallNow();
    const bool good =
        s.append(encoding::eventBytes(text), now, [&](auto &sink) { encoding::putEvent(sink, kind, now, step, text); });
    if (!good)
        s.tail.countDrop();
}

bool FeedWriter::stopRequested() const noexcept
{
    // Relaxed: flags alone, nothing is read that was written before them.
    RingHeader &header = m_state->ring.header();
    if (header.stopRequested.load(std::memory_order_relaxed) == 0)
        return false;
    header.stopSeen.store(1, std::memory_order_relaxed);
    return true;
}

std::uint64_t FeedWriter::dropped() const noexcept
{
    return m_state->ring.header().dropped.load(std::memory_order_relaxed);  // relaxed: a figure
}

}  // namespace sweepscope::feed
