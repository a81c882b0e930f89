#include "series/series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

/// Whether an x lies in a column of a plot or in one before it. Which column an x lies in takes a division: where the
/// first x behind the column is found at once, a comparison is enough.
class ColumnEnd {
public:
    ColumnEnd(int column, double xFrom, double xTo, int columns)
        : m_column(column), m_columns(columns), m_from(xFrom), m_to(xTo)
    {
        double x = xFrom + (xTo - xFrom) / columns * (column + 1);
        for (int tries = 0; tries < 4 && isBehind(x); ++tries)
            x = std::nextafter(x, -std::numeric_limits<double>::infinity());
        for (int tries = 0; tries < 8 && !isBehind(x); ++tries) {
            const double next = std::nextafter(x, std::numeric_limits<double>::infinity());
            if (isBehind(next))
                m_end = next;
            x = next;
        }
    }
    /// Where the column ends, but for rounding.
    double nearly() const { return m_from + (m_to - m_from) / m_columns * (m_column + 1); }
    bool operator()(double x) const { return m_end ? x < *m_end : !isBehind(x); }

private:
    bool isBehind(double x) const { return columnAt(x, m_from, m_to, m_columns) > m_column; }

    int m_column;
    int m_columns;
    double m_from;
    double m_to;
    std::optional<double> m_end;  ///< none: it lies where numbers are denser than x are
};

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

std::vector<Column> Series::columnsSince(double since, XAxis axis, double xFrom, double xTo, int columns,
                                         Edges edges) const
{
    std::vector<Column> result;
    if (empty() || columns <= 0 || !(xFrom <= xTo))
        return result;
    beginQuestion();
    const std::size_t end = blockCount();
    const Position begin = skip(axis, {0, 0}, end, 0, [&](double x) { return x < since; });
    const Interval interval{begin, skip(axis, begin, end, 0, [&](double x) { return x <= xTo; }), 0, end};
    addColumns(axis, interval, xFrom, xTo, columns, result);
    if (edges == Edges::WithNeighbours && interval.end != Position{end, 0})
        result.push_back(columnOf(axis, interval.end, after(interval.end)));
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

/// The first block that is not wholly before, or endBlock. `guess`: how many blocks it probably is away.
template <typename Before>
std::size_t Series::skipBlocks(XAxis axis, std::size_t from, std::size_t endBlock, std::size_t guess,
                               Before before) const
{
    const auto wholeBefore = [&](std::size_t index) { return before(lastX(axis, index)); };
    if (from >= endBlock || !wholeBefore(from))
        return from;
    // All of `low` is before, not all of `high` is (or it is the end).
    std::size_t low = from;
    std::size_t high = endBlock;
    const std::size_t probable = from + std::max<std::size_t>(1, guess);
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
Series::Position Series::skipInside(XAxis axis, Position from, std::size_t guess, Before before) const
{
    if (from.sample == 0 && !before(firstX(axis, from.block)))
        return from;
    const BlockView &samples = view(from.block);
    const auto isBefore = [&](std::size_t i) { return before(xOf(axis, samples.step(i), samples.timeNs(i))); };
    std::size_t low = from.sample;
    std::size_t high = block(from.block).count - std::size_t{1};
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

/// The sample of the block that probably has this x, were its rhythm even.
std::size_t Series::guessInside(XAxis axis, std::size_t index, double x) const
{
    const double first = firstX(axis, index);
    const double share = (x - first) / (lastX(axis, index) - first);
    const double last = block(index).count - 1.0;
    return share > 0 ? static_cast<std::size_t>(std::min(share, 1.0) * last) : 0;
}

template <typename Before>
Series::Position Series::skip(XAxis axis, Position from, std::size_t endBlock, std::size_t guess, Before before) const
{
    const std::size_t index = skipBlocks(axis, from.block, endBlock, guess, before);
    if (index >= endBlock)
        return {std::max(index, from.block), index == from.block ? from.sample : 0};
    return skipInside(axis, index == from.block ? from : Position{index, 0}, block(index).count / 2, before);
}

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

/// Each step for all columns before the next step, so that the memory that it needs is on its way meanwhile.
std::vector<Series::Edge> Series::edgesOf(XAxis axis, const Interval &interval, double xFrom, double xTo,
                                          int columns) const
{
    const int first = columnAt(xAt(axis, interval.begin), xFrom, xTo, columns);
    const int last = columnAt(xAt(axis, before(interval.end)), xFrom, xTo, columns);
    std::vector<ColumnEnd> ends;
    std::vector<Edge> edges{{interval.begin}};
    ends.reserve(static_cast<std::size_t>(std::max(0, last - first)));
    edges.reserve(ends.capacity() + 2);
    std::size_t guess = 0;
    for (int column = first; column < last; ++column) {
        const std::size_t before = edges.back().at.block;
        ends.emplace_back(column, xFrom, xTo, columns);
        const std::size_t at = skipBlocks(axis, before, interval.endBlock, guess, ends.back());
        guess = at > before + 1 ? at - before - 1 : 0;
        prefetchBlocks(at + 3 * (guess + 1));
        edges.push_back({{at, at == interval.begin.block ? interval.begin.sample : 0}});
    }
    edges.push_back({interval.end});

    const std::uint64_t changes = m_bytes->changes();
    for (Edge &edge : edges) {
        if (edge.at.block < m_blocks.size())
            edge.bytes = m_bytes->ofIfInMemory(m_blocks[edge.at.block]);
    }
    constexpr std::size_t ahead = 4;
    for (std::size_t i = 1; i + 1 < edges.size(); ++i) {
        if (i + ahead + 1 < edges.size())
            guessAndPrefetch(edges[i + ahead], axis, ends[i + ahead - 1].nearly());
        if (edges[i].at.block == edges[i - 1].at.block)
            edges[i].at.sample = edges[i - 1].at.sample;
        if (edges[i].at.block < interval.endBlock) {
            look(edges[i], changes);
            edges[i].at = skipInside(axis, edges[i].at, edges[i].guess, ends[i - 1]);
        }
        if (numberOf(edges[i].at) > numberOf(interval.end))  // a file that says nonsense
            edges[i] = edges.back();
    }
    if (m_bytes->changes() != changes) {
        for (Edge &edge : edges)
            edge.bytes = nullptr;
    }
    const auto same = [](const Edge &a, const Edge &b) { return a.at == b.at; };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    return edges;
}

void Series::addColumns(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns,
                        std::vector<Column> &out) const
{
    if (interval.begin == interval.end)
        return;
    const std::vector<Edge> edges = edgesOf(axis, interval, xFrom, xTo, columns);
    const std::uint64_t changes = m_bytes->changes();
    constexpr std::size_t ahead = 3;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (i + ahead < edges.size()) {
            prefetchValues(edges[i + ahead]);
            m_summaries.prefetch(edges[i + ahead].at.block);
        }
        look(edges[i], changes);
        out.push_back(columnOf(axis, edges[i].at, edges[i + 1].at));
    }
}

/// A view of the edge's block is at hand after it, without a search for its bytes.
void Series::look(const Edge &edge, std::uint64_t changes) const
{
    if (edge.bytes && m_bytes->changes() == changes && !(m_view && m_viewed == edge.at.block)) {
        m_view.emplace(m_blocks[edge.at.block], edge.bytes);
        m_viewed = edge.at.block;
    }
}

/// A jitter of the clock moves an edge by a block or two.
void Series::prefetchBlocks(std::size_t index) const
{
    for (std::size_t i = index - std::min<std::size_t>(index, 1); i < std::min(index + 2, m_blocks.size()); ++i)
        __builtin_prefetch(&m_blocks[i]);
}

void Series::guessAndPrefetch(Edge &edge, XAxis axis, double x) const
{
    if (!edge.bytes)
        return;
    edge.guess = guessInside(axis, edge.at.block, x);
    const Block &block = m_blocks[edge.at.block];
    const std::size_t width = axis == XAxis::Step ? block.widths.step : block.widths.time;
    if (width == 0)
        return;
    // The arrays are values, steps, times; see Block.
    const std::size_t before = block.widths.value + std::size_t{axis == XAxis::Step ? 0U : block.widths.step};
    const unsigned char *sample = edge.bytes + before * block.count + edge.guess * width;
    __builtin_prefetch(sample - 32);
    __builtin_prefetch(sample + 32);
}

void Series::prefetchValues(const Edge &edge) const
{
    if (!edge.bytes || edge.at.sample == 0)
        return;
    const Block &block = m_blocks[edge.at.block];
    for (std::size_t at = 0; at < std::size_t{block.count} * block.widths.value; at += 64)
        __builtin_prefetch(edge.bytes + at);
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
