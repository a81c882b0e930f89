// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

/// The telemetry format as C++ sees it. Its specification, with prose and pictures, is in sweepscope_feed.h, which
/// programs in C include too; the assertions below hold this to it.
namespace sweepscope::feed {

static_assert(std::endian::native == std::endian::little, "feeds are little-endian and not converted");

inline constexpr std::uint32_t formatVersion = 1;
inline constexpr char magic[8] = {'S', 'W', 'S', 'C', 'F', 'E', 'E', 'D'};
inline constexpr std::size_t wordBytes = 8;
inline constexpr std::size_t pointBytes = 24;
/// No record is longer: a reader refuses more, a writer cuts its text.
inline constexpr std::uint32_t maxRecordBytes = 64 * 1024;
inline constexpr std::uint32_t maxPreambleBytes = 4096;
/// What a writer cuts its texts to, at the end of a UTF-8 character.
inline constexpr std::size_t maxNameBytes = 1024;
inline constexpr std::size_t maxUnitBytes = 64;
inline constexpr std::size_t maxEventTextBytes = 16 * 1024;
/// Ids are below; it is also what a writer answers when it has given them all, and points of it are dropped.
inline constexpr std::uint16_t noSeries = 0xffff;
inline constexpr std::uint64_t minRingBytes = 64 * 1024;
inline constexpr std::uint64_t maxRingBytes = std::uint64_t{1} << 40;
/// No stream gets as long; an offset that comes from outside and is below can be added to without a thought.
inline constexpr std::uint64_t maxStreamBytes = std::uint64_t{1} << 62;

/// A log that never had a ring has a table at every multiple of this.
inline constexpr std::uint64_t tableDistance = 1024 * 1024;

enum class RecordKind : std::uint8_t {
    Preamble = 1,
    Series = 2,
    Point = 3,
    Event = 4,
    Gap = 5,
    StepBase = 6,
    Table = 7,
    Padding = 8
};

enum class EventKind : std::uint16_t { Message = 1, Epoch = 2, Checkpoint = 3, Warning = 4, Error = 5 };

/// The first word of every record.
struct RecordHeader {
    RecordKind kind;
    std::uint8_t reserved;
    std::uint16_t series;
    std::uint32_t lengthOrStep;
};
static_assert(sizeof(RecordHeader) == wordBytes);

/// The first page of a ring file. Each side's counters have a cache line of their own.
struct RingHeader {
    char magic[8];                       ///< creator
    std::atomic<std::uint32_t> version;  ///< creator, last: 0 until everything else is there
    std::uint32_t headerBytes;           ///< creator: sizeof(RingHeader)
    std::uint64_t capacity;              ///< creator: data bytes, a power of two
    std::uint64_t streamId;              ///< creator: FNV-1a (64 bit) of the preamble record's bytes; a reader
                                         ///< compares it with the log's, so that it never mixes two streams
    std::uint32_t reserved0[8];
    std::atomic<std::uint64_t> committed;    ///< rank: stream offset up to which records are whole
    std::atomic<std::uint64_t> dropped;      ///< rank: records dropped since the start
    std::atomic<std::uint64_t> reported;     ///< rank: of those, how many the gap records before `gapAt` have reported
    std::atomic<std::uint32_t> seriesCount;  ///< rank: series ids assigned; a later writer continues from here
    std::atomic<std::uint32_t> stopSeen;     ///< rank: not 0 = it has read a stopRequested that was not 0
    std::atomic<std::uint64_t> gapAt;        ///< rank: stream offset of the latest gap record
    std::atomic<std::uint64_t> gapTotal;     ///< rank: drops reported by all gap records up to and including that one
    std::uint64_t reserved3[2];
    std::atomic<std::uint64_t> drained;        ///< agent: stream offset up to which the log file has it
    std::atomic<std::uint32_t> fenced;         ///< agent: not 0 = the attempt is over, the rank stops writing
    std::atomic<std::uint32_t> stopRequested;  ///< agent: not 0 = please checkpoint and end (should_stop)
    std::uint64_t reserved2[6];
    unsigned char pad[4096 - 192];
};
static_assert(sizeof(RingHeader) == 4096);
static_assert(offsetof(RingHeader, version) == 8);
static_assert(offsetof(RingHeader, headerBytes) == 12);
static_assert(offsetof(RingHeader, capacity) == 16);
static_assert(offsetof(RingHeader, streamId) == 24);
static_assert(offsetof(RingHeader, committed) == 64);
static_assert(offsetof(RingHeader, dropped) == 72);
static_assert(offsetof(RingHeader, reported) == 80);
static_assert(offsetof(RingHeader, seriesCount) == 88);
static_assert(offsetof(RingHeader, stopSeen) == 92);
static_assert(offsetof(RingHeader, gapAt) == 96);
static_assert(offsetof(RingHeader, gapTotal) == 104);
static_assert(offsetof(RingHeader, drained) == 128);
static_assert(offsetof(RingHeader, fenced) == 136);
static_assert(offsetof(RingHeader, stopRequested) == 140);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace sweepscope::feed
