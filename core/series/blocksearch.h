#pragma once

#include "series/blockbytes.h"
#include "series/column.h"
#include "series/pyramid.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace sweepscope::series {

/// What a question about a curve looks at.
struct CurveBlocks {
    const std::vector<Block> &packed;
    const Pyramid &summaries;  ///< of the packed blocks
    BlockBytes &bytes;         ///< of the packed blocks
    const PackedBlock &open;   ///< the samples that are in no block yet
    const unsigned char *openBytes;
    bool hasOpen;
    std::size_t size;  ///< in samples
    const std::vector<std::size_t> &stepSegments;
    const std::vector<std::size_t> &timeSegments;
    std::int64_t zero;  ///< of XAxis::RelativeTime
};

/// Finds samples of a curve by their x, for one question: the curve must not change meanwhile. What is asked thousands of
/// times is inline.
class BlockSearch {
public:
    /// A sample in a block; `sample` is below the block's count, or `block` is one past the last and `sample` is 0.
    struct Position {
        std::size_t block = 0;
        std::size_t sample = 0;
        bool operator==(const Position &) const = default;
    };
    /// Neighbouring samples inside one segment.
    struct Interval {
        Position begin;
        Position end;
        std::size_t beginBlock;  ///< of the segment
        std::size_t endBlock;
    };

    explicit BlockSearch(const CurveBlocks &curve) : m_curve(curve) {}

    std::size_t blockCount() const { return m_curve.packed.size() + (m_curve.hasOpen ? 1 : 0); }
    const Block &block(std::size_t index) const;
    const BlockView &view(std::size_t index) const;
    /// Sets the bytes of the block, so that its view needs no search for them.
    void useBytes(std::size_t index, const unsigned char *bytes) const;
    std::uint64_t numberOf(Position position) const;
    double xOf(XAxis axis, std::int64_t step, std::int64_t timeNs) const;
    double xOf(XAxis axis, const BlockView &samples, std::size_t sample) const;
    double firstX(XAxis axis, std::size_t block) const;
    double lastX(XAxis axis, std::size_t block) const;
    double xAt(XAxis axis, Position position) const;
    Position before(Position position) const;
    Position after(Position position) const;

    /// The first position from `from` on whose x is not `before`, a predicate that turns from true to false once.
    template <typename Before>
    Position skip(XAxis axis, Position from, std::size_t endBlock, std::size_t guess, Before before) const;
    template <typename Before>
    std::size_t skipBlocks(XAxis axis, std::size_t from, std::size_t endBlock, std::size_t guess, Before before) const;
    template <typename Before>
    Position skipInside(XAxis axis, Position from, std::size_t guess, Before before) const;

    /// The first block of each segment: between them steps or times go back.
    std::vector<std::size_t> segmentStarts(XAxis axis) const;
    std::vector<Interval> segmentsInRange(XAxis axis, double xFrom, double xTo, Edges edges) const;

protected:
    const CurveBlocks m_curve;

private:
    // The block that was looked into last: a question asks for the one at a column's edge several times.
    mutable std::size_t m_viewed = 0;
    mutable std::optional<BlockView> m_view;
};

inline const Block &BlockSearch::block(std::size_t index) const
{
    return index < m_curve.packed.size() ? m_curve.packed[index] : m_curve.open.block;
}

inline const BlockView &BlockSearch::view(std::size_t index) const
{
    if (!m_view || m_viewed != index) {
        m_view.emplace(block(index),
                       index < m_curve.packed.size() ? m_curve.bytes.of(m_curve.packed[index]) : m_curve.openBytes);
        m_viewed = index;
    }
    return *m_view;
}

inline void BlockSearch::useBytes(std::size_t index, const unsigned char *bytes) const
{
    if (m_view && m_viewed == index)
        return;
    m_view.emplace(m_curve.packed[index], bytes);
    m_viewed = index;
}

inline double BlockSearch::xOf(XAxis axis, std::int64_t step, std::int64_t timeNs) const
{
    switch (axis) {
    case XAxis::Step:
        return static_cast<double>(step);
    case XAxis::WallTime:
        return static_cast<double>(timeNs) * 1e-9;
    case XAxis::RelativeTime:
        break;
    }
    // The difference as an integer: nanoseconds that seconds since 1970 have no room for stay.
    std::int64_t since = 0;
    if (__builtin_sub_overflow(timeNs, m_curve.zero,
                               &since))  // a file that says nonsense; it does not fall as times rise
        since =
            timeNs < m_curve.zero ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return static_cast<double>(since) * 1e-9;
}

inline double BlockSearch::xOf(XAxis axis, const BlockView &samples, std::size_t sample) const
{
    // Only one of the two is looked up: they lie apart.
    return axis == XAxis::Step ? xOf(axis, samples.step(sample), 0) : xOf(axis, 0, samples.timeNs(sample));
}

inline double BlockSearch::firstX(XAxis axis, std::size_t index) const
{
    return xOf(axis, block(index).firstStep, block(index).firstTimeNs);
}

inline double BlockSearch::lastX(XAxis axis, std::size_t index) const
{
    return xOf(axis, block(index).lastStep, block(index).lastTimeNs);
}

inline double BlockSearch::xAt(XAxis axis, Position position) const
{
    if (position.sample == 0)
        return firstX(axis, position.block);
    return xOf(axis, view(position.block), position.sample);
}

inline std::uint64_t BlockSearch::numberOf(Position position) const
{
    return position.block < blockCount() ? block(position.block).firstSample + position.sample : m_curve.size;
}

/// The first block that is not wholly before, or endBlock. `guess`: how many blocks it probably is away.
template <typename Before>
std::size_t BlockSearch::skipBlocks(XAxis axis, std::size_t from, std::size_t endBlock, std::size_t guess,
                                    Before before) const
{
    const auto wholeBefore = [&](std::size_t index) { return before(lastX(axis, index)); };
    if (from >= endBlock || !wholeBefore(from))
        return from;
    const std::size_t probable = from + std::max<std::size_t>(1, guess);
    if (probable + 1 < endBlock && wholeBefore(probable - 1) && !wholeBefore(probable + 1))
        return probable + static_cast<std::size_t>(wholeBefore(probable));
    // All of `low` is before, not all of `high` is (or it is the end).
    std::size_t low = from;
    std::size_t high = endBlock;
    if (probable < endBlock && !wholeBefore(probable)) {
        // Back in growing strides: it is near, and so in the processor's cache.
        high = probable;
        for (std::size_t stride = 1; low + stride < high; high -= stride, stride *= 2) {
            if (wholeBefore(high - stride)) {
                low = high - stride;
                break;
            }
        }
    } else {
        low = probable < endBlock ? probable : from;
        for (std::size_t stride = 1; low + stride < endBlock; low += stride, stride *= 2) {
            if (!wholeBefore(low + stride)) {
                high = low + stride;
                break;
            }
        }
    }
    while (low + 1 < high) {
        const std::size_t middle = low + (high - low) / 2;
        (wholeBefore(middle) ? low : high) = middle;
    }
    return high;
}

/// From a position in a block that is not wholly before. `guess`: the sample that it probably is.
template <typename Before>
BlockSearch::Position BlockSearch::skipInside(XAxis axis, Position from, std::size_t guess, Before before) const
{
    if (from.sample == 0 && !before(firstX(axis, from.block)))
        return from;
    const BlockView &samples = view(from.block);
    const auto isBefore = [&](std::size_t i) { return before(xOf(axis, samples, i)); };
    std::size_t low = from.sample;
    std::size_t high = block(from.block).count - std::size_t{1};
    // Near the guess without a branch on each comparison: they go either way as often, and cannot be foretold.
    constexpr std::size_t near = 4;
    if (guess >= low + near && guess + near <= high && isBefore(guess - near) && !isBefore(guess + near - 1)) {
        low = guess - near + 1;
        for (std::size_t half = near; half > 0; half /= 2)
            low += half * static_cast<std::size_t>(isBefore(low + half - 1));
        return {from.block, low};
    }
    // Away from the guess in growing strides, until it lies between two of them.
    const std::size_t start = std::clamp(guess, low, high);
    if (isBefore(start)) {
        low = start + 1;
        for (std::size_t stride = 1; low + stride < high; low += stride, stride *= 2) {
            if (!isBefore(low + stride - 1)) {
                high = low + stride - 1;
                break;
            }
        }
    } else {
        high = start;
        for (std::size_t stride = 1; low + stride < high; high -= stride, stride *= 2) {
            if (isBefore(high - stride)) {
                low = high - stride + 1;
                break;
            }
        }
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (isBefore(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return {from.block, std::min(low, block(from.block).count - std::size_t{1})};
}

template <typename Before>
BlockSearch::Position BlockSearch::skip(XAxis axis, Position from, std::size_t endBlock, std::size_t guess,
                                        Before before) const
{
    const std::size_t index = skipBlocks(axis, from.block, endBlock, guess, before);
    if (index >= endBlock)
        return {std::max(index, from.block), index == from.block ? from.sample : 0};
    return skipInside(axis, index == from.block ? from : Position{index, 0}, block(index).count / 2, before);
}

}  // namespace sweepscope::series
