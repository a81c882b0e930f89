#include "series/blocksearch.h"

namespace sweepscope::series {

std::vector<std::size_t> BlockSearch::segmentStarts(XAxis axis) const
{
    std::vector<std::size_t> starts = axis == XAxis::Step ? m_curve.stepSegments : m_curve.timeSegments;
    // Whether the block that still grows starts a segment is not noted before it is packed for good.
    const bool openGoesBack =
        m_curve.hasOpen && !m_curve.packed.empty()
        && (axis == XAxis::Step ? m_curve.open.block.firstStep < m_curve.packed.back().lastStep
                                : m_curve.open.block.firstTimeNs < m_curve.packed.back().lastTimeNs);
    if (m_curve.packed.empty() || openGoesBack)
        starts.push_back(m_curve.packed.size());
    return starts;
}

std::vector<BlockSearch::Interval> BlockSearch::segmentsInRange(XAxis axis, double xFrom, double xTo, Edges edges) const
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

BlockSearch::Position BlockSearch::before(Position position) const
{
    if (position.sample > 0)
        return {position.block, position.sample - 1};
    return {position.block - 1, block(position.block - 1).count - std::size_t{1}};
}

BlockSearch::Position BlockSearch::after(Position position) const
{
    if (position.sample + 1 < block(position.block).count)
        return {position.block, position.sample + 1};
    return {position.block + 1, 0};
}

}  // namespace sweepscope::series
