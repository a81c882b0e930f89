#pragma once

#include "series/sample.h"
#include "series/summary.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace sweepscope::series {

inline constexpr std::size_t blockSamples = 128;

/// Bytes of one sample in each of the three arrays of a block.
struct BlockWidths {
    std::uint8_t value = 8;  ///< 4: float, where every value is one exactly; 8: double
    std::uint8_t step = 0;   ///< 0, 1, 2, 4 or 8: what a straight line from first to last is wrong by
    std::uint8_t time = 0;

    bool operator==(const BlockWidths &) const = default;
};

/// Up to 128 neighbouring samples of one series, with steps and times that do not fall. Its bytes, which may lie in a
/// file, are three arrays, each padded to 8: values | steps | times. Nothing is lost:
///
///     step[i] = firstStep + i * slope + wrongBy[i]        slope = (lastStep - firstStep) / (count - 1)
///
/// modulo 2^64, and times likewise: a regular rhythm costs nothing, a jittering clock four bytes.
struct alignas(64) Block {
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    std::int64_t firstTimeNs = 0;
    std::int64_t lastTimeNs = 0;
    std::uint64_t firstSample = 0;  ///< its number in the series
    std::uint64_t place = 0;        ///< of its bytes, see BlockBytes
    std::uint32_t checksum = 0;     ///< of its bytes
    std::uint16_t count = 0;
    BlockWidths widths;
    bool allFinite = true;
};
static_assert(sizeof(Block) == 64);

/// A block and what is in it. The two are kept apart, because a question looks at many of the one and few of the other.
struct PackedBlock {
    Block block;
    Summary summary;
};

/// How many bytes a block of `count` samples has.
std::size_t blockBytes(std::size_t count, BlockWidths widths);

/// Pack 1 to 128 samples, whose steps and times do not fall; their bytes are appended to `bytes`, a multiple of 8.
/// `firstSample` and `place` are the caller's.
PackedBlock packBlock(std::span<const Sample> samples, std::vector<unsigned char> &bytes);

std::uint32_t checksumOf(std::span<const unsigned char> bytes);

/// Looks into a block. `bytes` has blockBytes(); it may hold anything, then the samples are nonsense.
class BlockView {
public:
    BlockView(const Block &block, const unsigned char *bytes);

    std::int64_t step(std::size_t i) const { return m_steps.at(i); }
    std::int64_t timeNs(std::size_t i) const { return m_times.at(i); }
    double value(std::size_t i) const;
    Sample sample(std::size_t i) const { return {step(i), timeNs(i), value(i)}; }
    /// Of the samples [begin, end).
    Summary summarize(std::size_t begin, std::size_t end) const;
    /// Of the samples before `at` and of the others; 0 < at < count, and `whole` is the block's. Where the smallest and
    /// the largest value are both in the longer part, that part is not looked at.
    std::pair<Summary, Summary> split(std::size_t at, const Summary &whole) const;

private:
    struct Ascending {
        std::uint64_t first;
        std::uint64_t slope;
        std::uint8_t width;
        const unsigned char *wrongBy;

        std::int64_t at(std::size_t i) const;
    };

    const unsigned char *m_values;
    std::size_t m_count;
    bool m_floats;
    bool m_allFinite;
    Ascending m_steps;
    Ascending m_times;
};

}  // namespace sweepscope::series
