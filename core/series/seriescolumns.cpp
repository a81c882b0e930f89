#include "series/seriessearch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

/// How a curve becomes the columns of a plot.
namespace sweepscope::series {

namespace {

/// More segments than this share columns: no plot could tell so many lines apart.
constexpr std::size_t maxSegmentsApart = 64;

/// `right` has later samples, though perhaps at a smaller x.
void merge(Column &left, const Column &right)
{
    left.x = std::min(left.x, right.x);
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
    if (segments.size() > maxSegmentsApart)
        return sharedColumns(axis, segments, low, high, columns, edges);
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
        result.push_back(columnOf(axis, {interval.end}, {after(interval.end)}));
    return result;
}

std::vector<Column> Series::columnsBefore(double until, XAxis axis, double xFrom, double xTo, int columns,
                                          Edges edges) const
{
    std::vector<Column> result;
    if (empty() || columns <= 0 || !(xFrom <= xTo))
        return result;
    beginQuestion();
    const std::size_t end = blockCount();
    const Position begin = skip(axis, {0, 0}, end, 0, [&](double x) { return x < xFrom; });
    const Interval interval{begin, skip(axis, begin, end, 0, [&](double x) { return x < until; }), 0, end};
    if (edges == Edges::WithNeighbours && begin != Position{0, 0})
        result.push_back(columnOf(axis, {before(begin)}, {begin}));
    addColumns(axis, interval, xFrom, xTo, columns, result);
    return result;
}

void Series::addSegment(XAxis axis, const Interval &segment, double xFrom, double xTo, int columns, Edges edges,
                        std::vector<Column> &out) const
{
    const std::size_t first = out.size();
    if (edges == Edges::WithNeighbours && segment.begin != Position{segment.beginBlock, 0})
        out.push_back(columnOf(axis, {before(segment.begin)}, {segment.begin}));
    addColumns(axis, segment, xFrom, xTo, columns, out);
    if (edges == Edges::WithNeighbours && segment.end != Position{segment.endBlock, 0})
        out.push_back(columnOf(axis, {segment.end}, {after(segment.end)}));
    out[first].startsSegment = first > 0;
}

void Series::addColumns(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns,
                        std::vector<Column> &out) const
{
    if (interval.begin == interval.end)
        return;
    const std::vector<Edge> edges = edgesOf(axis, interval, xFrom, xTo, columns);
    constexpr std::size_t ahead = 3;
    if (out.size() <= 1)
        out.reserve(out.size() + edges.size());
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        if (i + 2 * ahead < edges.size())
            prefetchBlocks(edges[i + 2 * ahead].at.block);
        if (i + ahead < edges.size())
            prefetchSummary(edges[i + ahead]);
        out.push_back(columnOf(axis, edges[i], edges[i + 1]));
    }
}

const Series::Split &Series::splitAt(const Edge &edge) const
{
    if (!m_split || m_split->at != edge.at) {
        look(edge);
        const std::size_t index = edge.at.block;
        const Summary whole = index < m_blocks.size() ? m_summaries.item(index) : m_openBlock.summary;
        auto [head, tail] = view(index).split(edge.at.sample, whole);
        m_split = Split{edge.at, head, tail};
    }
    return *m_split;
}

Summary Series::summarize(const Edge &begin, const Edge &end) const
{
    if (begin.at.block == end.at.block) {
        look(begin);
        return view(begin.at.block).summarize(begin.at.sample, end.at.sample);
    }
    Summary all;
    std::size_t whole = begin.at.block;
    if (begin.at.sample > 0) {
        all = splitAt(begin).tail;
        ++whole;
    }
    const std::size_t open = m_blocks.size();
    if (whole < std::min(end.at.block, open))
        all.add(m_summaries.range(whole, std::min(end.at.block, open)));
    if (whole <= open && open < end.at.block)
        all.add(m_openBlock.summary);
    if (end.at.sample > 0)
        all.add(splitAt(end).head);
    all.count = numberOf(end.at) - numberOf(begin.at);
    return all;
}

Column Series::columnOf(XAxis axis, const Edge &begin, const Edge &end) const
{
    Column column;
    look(begin);
    column.x = xAt(axis, begin.at);
    const Summary all = summarize(begin, end);
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

/// Each column of all segments together, in the order of x.
std::vector<Column> Series::sharedColumns(XAxis axis, const std::vector<Interval> &segments, double xFrom, double xTo,
                                          int columns, Edges edges) const
{
    std::vector<std::optional<Column>> shared(static_cast<std::size_t>(columns));
    std::optional<Column> left;
    std::optional<Column> right;
    std::vector<Column> own;
    for (const Interval &segment : segments) {
        own.clear();
        addColumns(axis, segment, xFrom, xTo, columns, own);
        for (const Column &column : own) {
            std::optional<Column> &place = shared[static_cast<std::size_t>(columnAt(column.x, xFrom, xTo, columns))];
            if (place)
                merge(*place, column);
            else
                place = column;
        }
        if (edges == Edges::Cut)
            continue;
        if (segment.begin != Position{segment.beginBlock, 0}) {
            const Position neighbour = before(segment.begin);
            if (!left || xAt(axis, neighbour) >= left->x)
                left = columnOf(axis, {neighbour}, {segment.begin});
        }
        if (segment.end != Position{segment.endBlock, 0} && (!right || xAt(axis, segment.end) <= right->x))
            right = columnOf(axis, {segment.end}, {after(segment.end)});
    }
    std::vector<Column> result;
    if (left)
        result.push_back(*left);
    for (const std::optional<Column> &column : shared) {
        if (column)
            result.push_back(*column);
    }
    if (right)
        result.push_back(*right);
    return result;
}

}  // namespace sweepscope::series
