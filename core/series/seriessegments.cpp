#include "series/seriessearch.h"

#include <algorithm>
#include <limits>

/// A curve's segments: between them steps or times go back.
namespace sweepscope::series {

/// The first block of each segment.
std::vector<std::size_t> Series::segmentStarts(XAxis axis) const
{
    std::vector<std::size_t> starts = axis == XAxis::Step ? m_stepSegments : m_timeSegments;
    // Whether the block that still grows starts a segment is not noted before it is packed for good.
    const bool openGoesBack = !m_open.empty() && !m_blocks.empty()
                              && (axis == XAxis::Step ? m_openBlock.block.firstStep < m_blocks.back().lastStep
                                                      : m_openBlock.block.firstTimeNs < m_blocks.back().lastTimeNs);
    if (m_blocks.empty() || openGoesBack)
        starts.push_back(m_blocks.size());
    return starts;
}

bool Series::goesBack(XAxis axis) const
{
    beginQuestion();
    return segmentStarts(axis).size() > 1;
}

std::vector<Series::Interval> Series::segmentsInRange(XAxis axis, double xFrom, double xTo, Edges edges) const
{
    std::vector<std::size_t> starts = segmentStarts(axis);
    starts.push_back(blockCount());
    std::vector<Interval> segments;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        const Position first{starts[i], 0};
        const Position last{starts[i + 1], 0};
        const Position begin = skip(axis, first, last.block, 0, [&](double x) { return x < xFrom; });
        const Position end = skip(axis, begin, last.block, 0, [&](double x) { return x <= xTo; });
        const bool crosses = edges == Edges::WithNeighbours && begin != first && end != last;
        if (begin != end || crosses)
            segments.push_back({begin, end, first.block, last.block});
    }
    return segments;
}

std::pair<double, double> Series::extent(XAxis axis) const
{
    beginQuestion();
    const double infinity = std::numeric_limits<double>::infinity();
    std::pair<double, double> extent(infinity, -infinity);
    for (const Interval &segment : segmentsInRange(axis, -infinity, infinity, Edges::Cut)) {
        extent.first = std::min(extent.first, firstX(axis, segment.beginBlock));
        extent.second = std::max(extent.second, lastX(axis, segment.endBlock - 1));
    }
    return extent;
}

Series::Position Series::before(Position position) const
{
    if (position.sample > 0)
        return {position.block, position.sample - 1};
    return {position.block - 1, block(position.block - 1).count - std::size_t{1}};
}

Series::Position Series::after(Position position) const
{
    if (position.sample + 1 < block(position.block).count)
        return {position.block, position.sample + 1};
    return {position.block + 1, 0};
}

}  // namespace sweepscope::series
