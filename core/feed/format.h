// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

/// The telemetry format, version 1. This header is the specification.
///
/// A *feed* is what one rank (or one sampler) says over its life: a stream of records, each a whole number of 8-byte
/// words, little-endian. The stream is kept in two places that share one coordinate, the byte offset from its start:
///
///      log file  rank-N.feed        offset 0 ............... drained
///      ring      in shared memory                drained ...... committed      (the tail, at offset modulo capacity)
///
///   - The *agent* creates the ring before it spawns the rank, and appends what was committed to the log file with
///     plain write(). It alone advances `drained`, after the bytes are in the file. A full disk may leave `drained` in
///     the middle of a record; the stream goes on in the ring from exactly there.
///   - The *rank* alone writes ring data and advances `committed`, with one release store after whole records: nobody
///     ever sees half a record. It never waits: if a record does not fit between `drained` and `committed`, the record
///     is dropped and counted, and the next record that does fit is preceded by a gap record that says how many were
///     lost. It never touches bytes from `drained` on. There is one writer at a time: it holds a POSIX record lock on
///     the ring's first byte. A later process of the same rank goes on where the one before it ended.
///   - *Readers* (engine, window) map the ring read-only. Bytes below `drained` they read from the file. Bytes copied
///     from the ring are valid if, after copying, `drained` is still at most the offset of the first byte copied; else
///     the writer may have overwritten them, and they are in the file by then.
///
///   ring file        byte 0     RingHeader (4096 bytes)
///                    byte 4096  data, `capacity` bytes, a power of two, 64 KiB at least
///
/// The stream starts with a preamble record, so the log file alone tells what it is. Every field is untrusted by the
/// reader: sizes are checked before use, unknown record kinds are skipped by their length. All-zero memory is a valid
/// empty ring (version 0: not yet published); `version` is written last. A log file may end with part of a record (its
/// writer was killed, or the disk is full): that part is not read, and whoever goes on writing first completes it (a
/// ring still has the rest) or cuts it off.
///
///   every record but a point                       a point (24 bytes)
///   +----+----+---------+-------------------+      +----+----+---------+-------------------+
///   |kind| 0  | series  | length in bytes   |      |kind| 0  | series  | step, low 32 bits |
///   +----+----+---------+-------------------+      +----+----+---------+-------------------+
///   | payload, zero-padded to 8             |      | wall time, ns since 1970, int64       |
///   +---------------------------------------+      | value, IEEE 754 double                |
///                                                  +---------------------------------------+
///   length counts the header word and the padding, is a multiple of 8 and at most maxRecordBytes. The kind is the byte
///   at the lowest address. A payload may grow at its end in later versions; readers take what they know.
///
/// kind        payload
/// 1 preamble  "SWSCFEED" | u32 version | i32 rank | i32 world size | u32 0 | i64 created (ns) | attempt id, UTF-8
///             (the id holds no NUL: it ends at the padding). First record, and only there; at most maxPreambleBytes.
/// 2 series    u16 name bytes | u16 unit bytes | u32 0 | name | unit            (series id in the header)
///             Comes before the series' first point. The same name may get a second id from a later writer.
/// 3 point     see above
/// 4 event     i64 wall time | i64 step | u16 event kind | u16 text bytes | u32 0 | text
/// 5 gap       i64 wall time | u64 records dropped
/// 6 stepbase  i64: the value whose low 32 bits are zero and that is added to the step of the points that follow.
///             0 at the start; written whenever the high half of the step changes (negative steps too).
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

enum class RecordKind : std::uint8_t { Preamble = 1, Series = 2, Point = 3, Event = 4, Gap = 5, StepBase = 6 };

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
    std::atomic<std::uint64_t> reported;     ///< rank: of those, how many the gap records before `gapAt` have told
    std::atomic<std::uint32_t> seriesCount;  ///< rank: series ids given; a later writer goes on from here
    std::uint32_t reserved1;
    std::atomic<std::uint64_t> gapAt;     ///< rank: stream offset of the latest gap record
    std::atomic<std::uint64_t> gapTotal;  ///< rank: drops told by all gap records up to and with that one
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
static_assert(offsetof(RingHeader, gapAt) == 96);
static_assert(offsetof(RingHeader, gapTotal) == 104);
static_assert(offsetof(RingHeader, drained) == 128);
static_assert(offsetof(RingHeader, fenced) == 136);
static_assert(offsetof(RingHeader, stopRequested) == 140);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace sweepscope::feed
