#include "series/series.h"

#include <algorithm>
#include <cmath>

/// How a curve becomes the columns of a plot.
namespace sweepscope::series {

namespace {

/// More segments than this share columns: then their order tells more than their place.
constexpr std::size_t maxSegmentsApart = 64;

void merge(Column &left, const Column &right)
{
    const bool first = !left.hasFinite();
    const std::uint64_t count = left.count + right.count;
    left.hasNonFinite = left.hasNonFinite || right.hasNonFinite;
    if (right.hasFinite()) {
        const double share = static_cast<double>(right.count) / static_cast<double>(count);
        left.mean = first ? right.mean : left.mean + (right.mean - left.mean) * share;
        left.first = first ? right.first : left.first;
        left.min = first ? right.min : std::min(left.min, right.min);
        left.max = first ? right.max : std::max(left.max, right.max);
        left.last = right.last;
    }
    left.count = count;
}

}  // namespace

std::vector<Column> Series::columns(XAxis axis, double xFrom, double xTo, int columns, Edges edges) const
{
    std::vector<Column> result;
    if (empty() || columns <= 0 || !(xFrom <= xTo))
        return result;
    beginQuestion();
    const std::vector<Interval> segments = segmentsInRange(axis, xFrom, xTo, edges);
    if (segments.size() > maxSegmentsApart)
        return sharedColumns(axis, segmentsInRange(axis, xFrom, xTo, Edges::Cut), static_cast<std::size_t>(columns));

    double lowest = std::numeric_limits<double>::infinity();
    double highest = -lowest;
    for (const Interval &segment : segments) {
        if (segment.begin == segment.end)
            continue;
        lowest = std::min(lowest, xAt(axis, segment.begin));
        highest = std::max(highest, xAt(axis, before(segment.end)));
    }
    const double low = std::isinf(xFrom) ? lowest : xFrom;
    const double high = std::isinf(xTo) ? highest : xTo;
    for (const Interval &segment : segments)
        addSegment(axis, segment, low, high, columns, edges, result);
    return result;
}

void Series::addSegment(XAxis axis, const Interval &segment, double xFrom, double xTo, int columns, Edges edges,
                        std::vector<Column> &out) const
{
    const std::size_t first = out.size();
    if (edges == Edges::WithNeighbours && segment.begin != Position{segment.beginBlock, 0})
        out.push_back(columnOf(axis, before(segment.begin), segment.begin));
    addColumns(axis, segment, xFrom, xTo, columns, out);
    if (edges == Edges::WithNeighbours && segment.end != Position{segment.endBlock, 0})
        out.push_back(columnOf(axis, segment.end, after(segment.end)));
    out[first].startsSegment = first > 0;
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

/// `guess`: how many blocks the last skip went over, which the next one often does too.
template <typename Before>
Series::Position Series::skip(XAxis axis, Position from, std::size_t endBlock, std::size_t guess, Before before) const
{
    const auto wholeBefore = [&](std::size_t index) { return before(lastX(axis, index)); };
    const auto into = [&](Position start) {
        const BlockView &samples = view(start.block);
        std::size_t low = start.sample;
        std::size_t high = block(start.block).count - 1;  // which is not before
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (before(xOf(axis, samples.step(middle), samples.timeNs(middle))))
                low = middle + 1;
            else
                high = middle;
        }
        return Position{start.block, low};
    };
    if (from.block >= endBlock)
        return from;
    if (!wholeBefore(from.block))
        return into(from);

    // All of `low` is before, not all of `high` is (or it is the end).
    std::size_t low = from.block;
    std::size_t high = endBlock;
    std::size_t stride = std::max<std::size_t>(1, guess);
    for (bool first = true; low + stride < endBlock; stride = first ? 1 : 2 * stride, first = false) {
        if (!wholeBefore(low + stride)) {
            high = low + stride;
            break;
        }
        low += stride;
    }
    while (low + 1 < high) {
        const std::size_t middle = low + (high - low) / 2;
        (wholeBefore(middle) ? low : high) = middle;
    }
    if (high == endBlock || !before(firstX(axis, high)))
        return {high, 0};
    return into({high, 0});
}

std::vector<Series::Interval> Series::segmentsInRange(XAxis axis, double xFrom, double xTo, Edges edges) const
{
    std::vector<std::size_t> starts = axis == XAxis::Step ? m_stepSegments : m_timeSegments;
    // Whether the block that still grows starts a segment is not noted before it is packed for good.
    const bool openGoesBack = !m_open.empty() && !m_blocks.empty()
                              && (axis == XAxis::Step ? m_openBlock.block.firstStep < m_blocks.back().lastStep
                                                      : m_openBlock.block.firstTimeNs < m_blocks.back().lastTimeNs);
    if (m_blocks.empty() || openGoesBack)
        starts.push_back(m_blocks.size());
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

void Series::addColumns(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns,
                        std::vector<Column> &out) const
{
    // All edges first, then what lies between them: so that the memory of the next ones is on its way meanwhile.
    std::vector<Position> edges{interval.begin};
    std::size_t guess = 0;
    while (edges.back() != interval.end) {
        const Position begin = edges.back();
        const int column = columnAt(xAt(axis, begin), xFrom, xTo, columns);
        const auto inColumn = [&](double x) { return columnAt(x, xFrom, xTo, columns) <= column; };
        Position end = column + 1 >= columns ? interval.end : skip(axis, begin, interval.endBlock, guess, inColumn);
        if (end == begin)  // a file that says nonsense: samples inside a block that go back
            end = {begin.block + 1, 0};
        if (numberOf(end) > numberOf(interval.end))
            end = interval.end;
        guess = end.block > begin.block + 2 ? end.block - begin.block - 2 : 0;
        prefetchBlock(end.block + guess + 1);
        edges.push_back(end);
    }
    constexpr std::size_t ahead = 3;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (i + ahead < edges.size())
            prefetchBytes(edges[i + ahead]);
        out.push_back(columnOf(axis, edges[i], edges[i + 1]));
    }
}

void Series::prefetchBlock(std::size_t index) const
{
    if (index + 1 < m_blocks.size()) {
        __builtin_prefetch(&m_blocks[index]);
        __builtin_prefetch(&m_blocks[index + 1]);
    }
}

void Series::prefetchBytes(Position position) const
{
    if (position.block >= m_blocks.size() || position.sample == 0)
        return;
    const Block &block = m_blocks[position.block];
    const unsigned char *bytes = m_bytes->ofIfInMemory(block);
    for (std::size_t at = 0; bytes && at < std::size_t{block.count} * block.widths.value; at += 64)
        __builtin_prefetch(bytes + at);
}

Column Series::columnOf(XAxis axis, Position begin, Position end) const
{
    const Summary all = summarize(begin, end);
    Column column;
    column.x = xAt(axis, begin);
    column.count = all.count;
    column.hasNonFinite = all.finite != all.count;
    column.first = all.first;
    column.min = all.finite > 0 ? all.min : std::numeric_limits<double>::quiet_NaN();
    column.max = all.finite > 0 ? all.max : std::numeric_limits<double>::quiet_NaN();
    column.last = all.last;
    if (all.finite > 0) {
        const double mean = all.sum / static_cast<double>(all.finite);
        // A sum of numbers near the largest there are may have overflown.
        column.mean = std::isfinite(mean) ? std::clamp(mean, all.min, all.max) : all.min / 2 + all.max / 2;
    }
    return column;
}

/// In the order of samples: neighbours share a column, or each segment has one and the rest goes by their sizes.
std::vector<Column> Series::sharedColumns(XAxis axis, const std::vector<Interval> &segments, std::size_t columns) const
{
    std::vector<Column> result;
    if (segments.size() > columns) {
        for (std::size_t i = 0; i < columns; ++i) {
            const std::size_t from = i * segments.size() / columns;
            const std::size_t to = (i + 1) * segments.size() / columns;
            Column merged = columnOf(axis, segments[from].begin, segments[from].end);
            for (std::size_t segment = from + 1; segment < to; ++segment)
                merge(merged, columnOf(axis, segments[segment].begin, segments[segment].end));
            merged.startsSegment = i > 0;
            result.push_back(merged);
        }
        return result;
    }
    std::uint64_t samples = 0;
    for (const Interval &segment : segments)
        samples += numberOf(segment.end) - numberOf(segment.begin);
    for (const Interval &segment : segments) {
        const std::uint64_t size = numberOf(segment.end) - numberOf(segment.begin);
        const int share = 1 + static_cast<int>((columns - segments.size()) * size / samples);
        addSegment(axis, segment, xAt(axis, segment.begin), xAt(axis, before(segment.end)), share, Edges::Cut, result);
    }
    return result;
}

}  // namespace sweepscope::series
