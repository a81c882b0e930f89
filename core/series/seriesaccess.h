#pragma once

#include "series/series.h"

#include <cstdint>
#include <limits>

/// What a question asks of blocks and samples thousands of times, inline for the files that answer it.
namespace sweepscope::series {

inline const Block &Series::block(std::size_t index) const
{
    return index < m_blocks.size() ? m_blocks[index] : m_openBlock.block;
}

inline const BlockView &Series::view(std::size_t index) const
{
    if (!m_view || m_viewed != index) {
        m_view.emplace(block(index), index < m_blocks.size() ? m_bytes->of(m_blocks[index]) : m_openBytes.data());
        m_viewed = index;
    }
    return *m_view;
}

inline double Series::xOf(XAxis axis, std::int64_t step, std::int64_t timeNs) const
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
    if (__builtin_sub_overflow(timeNs, m_zero, &since))  // a file that says nonsense; it does not fall as times rise
        since = timeNs < m_zero ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return static_cast<double>(since) * 1e-9;
}

inline double Series::xOf(XAxis axis, const BlockView &samples, std::size_t sample) const
{
    // Only one of the two is looked up: they lie apart.
    return axis == XAxis::Step ? xOf(axis, samples.step(sample), 0) : xOf(axis, 0, samples.timeNs(sample));
}

inline double Series::firstX(XAxis axis, std::size_t index) const
{
    return xOf(axis, block(index).firstStep, block(index).firstTimeNs);
}

inline double Series::lastX(XAxis axis, std::size_t index) const
{
    return xOf(axis, block(index).lastStep, block(index).lastTimeNs);
}

inline double Series::xAt(XAxis axis, Position position) const
{
    if (position.sample == 0)
        return firstX(axis, position.block);
    return xOf(axis, view(position.block), position.sample);
}

inline std::uint64_t Series::numberOf(Position position) const
{
    return position.block < blockCount() ? block(position.block).firstSample + position.sample : size();
}

}  // namespace sweepscope::series
