#include "feedtesting.h"

#include "base/filedescriptor.h"
#include "feed/feedwriter.h"
#include "feed/recordparser.h"
#include "feed/ringdraining.h"
#include "feed/ringmapping.h"
#include "feed/ringreading.h"
#include "feed/ringtail.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::feed;
using namespace feedtesting;

namespace {

constexpr std::int64_t points = 200'000;  // about 70 rounds of the smallest ring

/// Ends a hanging test with a message.
class Watchdog {
public:
    bool expired() const { return std::chrono::steady_clock::now() > m_deadline; }

private:
    std::chrono::steady_clock::time_point m_deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
};

/// The first failure of any thread.
class Failure {
public:
    void set(const std::string &why)
    {
        const std::lock_guard lock(m_mutex);
        m_why = m_why.empty() ? why : m_why;
        m_is.store(true, std::memory_order_relaxed);  // a flag to stop the threads; `why` is read after they have ended
    }
    explicit operator bool() const { return m_is.load(std::memory_order_relaxed); }
    const std::string &why() const { return m_why; }

private:
    std::atomic<bool> m_is{false};
    std::mutex m_mutex;
    std::string m_why;
};

/// Requires steps 0, 1, 2, … with their matching values.
class Sequence final : public RecordVisitor {
public:
    // relaxed everywhere: only a counter, and the test joins the threads before it checks
    std::atomic<std::int64_t> next{0};
    bool broken = false;
    std::uint64_t gaps = 0;
    void point(const Point &value) override
    {
        const std::int64_t expected = next.load(std::memory_order_relaxed);
        broken = broken || value.step != expected || value.value != static_cast<double>(expected) * 0.25;
        next.store(expected + 1, std::memory_order_relaxed);
    }
    void gap(const Gap &) override { ++gaps; }
};

}  // namespace

TEST_CASE("writer, drain and readers at full speed: every reader gets every point once and in order")
{
    const TemporaryFolder folder;
    auto drain = RingDrain::create(folder / "ring", folder / "log", somePreamble(), minRingBytes).value();
    const Watchdog watchdog;
    std::atomic<bool> written{false};
    Sequence live[2];
    Failure failed;

    std::thread writing([&] {
        auto writer = FeedWriter::open(folder / "ring").value();
        const auto id = writer.declare("x");
        for (std::int64_t i = 0; i < points && !failed; ++i) {
            // Writes only as fast as the drain, so that nothing is dropped. The size of the log shows the drain's
            // progress; the drain reports its own progress later, by up to about the former content of the ring.
            while (static_cast<std::uint64_t>(i) * pointBytes
                       > std::filesystem::file_size(folder / "log") + minRingBytes / 4
                   && !failed) {
                if (watchdog.expired())
                    failed.set("the writer waits for the drain");
            }
            writer.write(id, i, static_cast<double>(i) * 0.25);
            if (writer.dropped() != 0)
                failed.set("points were dropped");
        }
        written = true;
    });
    std::thread draining([&] {
        while (!failed) {
            const bool last = written;
            if (const auto drained = drain.drain(); !drained)
                failed.set(drained.error().message);
            else if (watchdog.expired())
                failed.set("the drain waits for the writer");
            if (last)
                break;
        }
    });
    std::thread reading[2];
    for (int i = 0; i < 2; ++i) {
        reading[i] = std::thread([&, i] {
            FeedReader reader(folder / "log", folder / "ring");
            while (!failed && live[i].next.load(std::memory_order_relaxed) < points) {
                if (const auto read = reader.poll(live[i], 100'000); !read)
                    failed.set(read.error().message);
                else if (watchdog.expired())
                    failed.set("a reader waits for points");
            }
        });
    }
    writing.join();
    draining.join();
    reading[0].join();
    reading[1].join();

    CHECK(failed.why() == std::string());
    for (const Sequence &sequence : live) {
        CHECK(sequence.next == points);
        CHECK_FALSE(sequence.broken);
        CHECK(sequence.gaps == 0);
    }
}

namespace {

/// Requires that each series is such a sequence.
class Sequences final : public RecordVisitor {
public:
    explicit Sequences(std::size_t count) : of(count) {}
    std::vector<Sequence> of;
    void point(const Point &value) override { of.at(value.series).point(value); }
    bool complete(std::int64_t each) const
    {
        return std::all_of(of.begin(), of.end(), [each](const Sequence &one) {
            return one.next.load(std::memory_order_relaxed) == each && !one.broken;
        });
    }
};

/// Runs writer, drain and reader on one mapping. Separate processes have separate mappings, whose addresses
/// ThreadSanitizer cannot know to be the same memory; here it sees all accesses of all three. `write(tail, wait)`
/// writes `each` points of each series. It calls `wait` if the ring is full, and ends if `wait` returns false.
template <typename Write>
void runThreeSides(std::size_t series, std::int64_t each, Write write)
{
    const TemporaryFolder folder;
    const auto logPath = folder / "log";
    REQUIRE(RingDrain::create(folder / "ring", logPath, somePreamble(), minRingBytes));
    const RingMapping ring = RingMapping::open(folder / "ring", RingMapping::Access::ReadWrite).value();
    const FileDescriptor log(::open(logPath.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
    const Watchdog watchdog;
    std::atomic<bool> written{false};
    std::atomic<bool> failed{false};
    Sequences sequences(series);

    std::thread writing([&] {
        RingTail tail(ring);
        for (std::size_t i = 0; i < series; ++i) {
            RingStretch stretch;
            REQUIRE(tail.begin(encoding::seriesBytes("x", ""), 0, stretch));
            encoding::putSeries(stretch, static_cast<std::uint16_t>(i), "x", "");
            tail.commit();
        }
        write(tail, [&] {
            failed = failed || watchdog.expired();
            std::this_thread::yield();
            return !failed;
        });
        written = true;
    });
    std::thread draining([&] {
        std::uint64_t drained = 0;
        while (!failed) {
            const bool last = written;
            if (!draining::moveToLog(ring, drained, log.get(), logPath) || watchdog.expired())
                failed = true;
            if (last)
                break;
        }
    });
    std::thread reading([&] {
        RecordParser parser;
        std::vector<unsigned char> bytes;
        while (!failed && !sequences.complete(each)) {
            const std::uint64_t from = parser.offset();
            const std::uint64_t drained = drainedOf(ring);
            bytes.clear();
            if (from < drained) {
                bytes.resize(drained - from);
                failed = failed
                         || ::pread(log.get(), bytes.data(), bytes.size(), static_cast<off_t>(from))
                                != static_cast<ssize_t>(bytes.size());
            }
            if (!copyFromRing(ring, std::max(from, drained), minRingBytes, bytes) || !parser.parse(bytes, sequences)
                || watchdog.expired())
                failed = true;
        }
    });
    writing.join();
    draining.join();
    reading.join();

    CHECK_FALSE(failed);
    CHECK(sequences.complete(each));
}

/// Writes the points of one series.
template <typename Wait>
void writeSequence(RingTail &tail, std::uint16_t series, std::int64_t count, Wait wait)
{
    RingStretch stretch;
    for (std::int64_t i = 0; i < count; ++i) {
        while (!tail.begin(pointBytes, 0, stretch)) {
            if (!wait())
                return;
        }
        encoding::putPoint(stretch, {series, i, i, static_cast<double>(i) * 0.25});
        tail.commit();
    }
}

}  // namespace

TEST_CASE("writer, drain and reader of a ring do not race on its memory")
{
    runThreeSides(1, points, [](RingTail &tail, auto wait) { writeSequence(tail, 0, points, wait); });
}

TEST_CASE("several threads that share a ring's writer race neither with each other nor with drain and reader")
{
    constexpr std::uint16_t threads = 3;
    constexpr std::int64_t each = points / threads;
    runThreeSides(threads, each, [](RingTail &tail, auto wait) {
        std::vector<std::thread> ranks;
        for (std::uint16_t i = 0; i < threads; ++i)
            ranks.emplace_back([&tail, i, wait] { writeSequence(tail, i, each, wait); });
        for (std::thread &rank : ranks)
            rank.join();
    });
}
