#pragma once

#include <cstddef>
#include <cstdint>

/// The index file, version 1: a feed's points series by series, packed in blocks, with what plots need to know of each
/// block. It is a copy: if in doubt, delete it, and the next reader of the feed rebuilds it.
///
///     offset 0     IndexSlot      the newer one that is whole counts
///     offset 512   IndexSlot
///     offset 4096  bytes of blocks | directory | bytes of blocks | directory | ...
///
///   - It only grows. One process writes it: it holds an flock() on it. First come the bytes of new blocks and their
///     directory, then the slot that has the older sequence: a reader, or the next writer after a crash, sees the one
///     state or the other. What lies beyond `end` of the slot is not there.
///   - The slot names the newest directory, each directory the one before it. Read from the oldest on, they list all
///     blocks in the order of the stream, and the declarations and events between them.
///   - It covers the stream up to `covered`; from there the feed itself is read on, with `stepBase` and the declared
///     series. That it belongs to this stream is said by `streamId`, and by reading the feed again from `anchor` on:
///     the next `anchorPoints` points must give `anchorDigest`. `anchor` is about a megabyte before `covered`.
///   - Everything is untrusted: slots and directories have checksums and are checked like a feed's records, a block's
///     bytes when they are first looked at. Whatever is wrong, the answer is the same: make it again.
///
///   directory    IndexDirectory | u64 blocks that each series has by now, those of this directory included (`series`
///                numbers) | declarations | events | IndexedBlock...
///   declaration  u16 id | u16 name bytes | u16 unit bytes | u16 0 | name | unit, zero-padded to 8
///                A name that was declared before is the same series, which then has two ids.
///   event        i64 step | i64 wall time | u16 kind | u16 text bytes | u32 0 | text, zero-padded to 8
namespace sweepscope::series {

inline constexpr char indexMagic[8] = {'S', 'W', 'S', 'C', 'I', 'N', 'D', 'X'};
inline constexpr std::uint32_t indexVersion = 1;
inline constexpr std::uint64_t indexSlotOffset[2] = {0, 512};
inline constexpr std::uint64_t indexDataOffset = 4096;

struct IndexSlot {
    char magic[8];
    std::uint32_t version;
    std::uint32_t checksum;  ///< of the slot, with this field 0
    std::uint64_t sequence;
    std::uint64_t streamId;
    std::uint64_t covered;
    std::int64_t stepBase;
    std::uint64_t dropped;  ///< records reported lost by gap records so far
    std::uint64_t anchor;
    std::int64_t anchorStepBase;
    std::uint64_t anchorPoints;
    std::uint64_t anchorDigest;
    std::uint64_t end;
    std::uint64_t directory;  ///< offset; 0: none yet
    std::uint64_t directoryBytes;
    std::uint64_t directoryChecksum;
};
static_assert(sizeof(IndexSlot) == 120);

struct IndexDirectory {
    std::uint64_t previous;  ///< offset; 0: this is the first
    std::uint64_t previousBytes;
    std::uint64_t previousChecksum;
    std::uint32_t series;  ///< that were declared so far
    std::uint32_t declarations;
    std::uint32_t events;
    std::uint32_t blocks;
};
static_assert(sizeof(IndexDirectory) == 40);

/// Of a block: see Block.
struct IndexedBlock {
    double min;
    double max;
    double first;
    double last;
    double sum;
    std::int64_t firstStep;
    std::int64_t lastStep;
    std::int64_t firstTimeNs;
    std::int64_t lastTimeNs;
    std::uint64_t place;
    std::uint32_t checksum;
    std::uint16_t count;
    std::uint16_t finite;
    std::uint8_t valueWidth;
    std::uint8_t stepWidth;
    std::uint8_t timeWidth;
    std::uint8_t reserved;
    std::uint32_t series;  ///< its number in the order of first declaration
};
static_assert(sizeof(IndexedBlock) == 96);

}  // namespace sweepscope::series
