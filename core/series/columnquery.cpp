#include "series/columnquery.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::series {

namespace {

/// More segments than this share columns: a plot cannot distinguish more lines.
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

/// Whether an x lies in a column of a plot or in one before it. Which column an x lies in takes a division: where the
/// first x behind the column is found at once, a comparison is enough.
class ColumnQuery::ColumnEnd {
public:
    ColumnEnd(int column, double xFrom, double xTo, int columns)
        : m_column(column), m_columns(columns), m_from(xFrom), m_to(xTo)
    {
        double x = nearly();
        const bool startsBehind = isBehind(x);
        for (int tries = 0; tries < 4 && !m_end; ++tries) {
            const double next = std::nextafter(x, startsBehind ? -infinity : infinity);
            if (isBehind(next) != startsBehind)
                m_end = startsBehind ? x : next;
            x = next;
        }
    }
    /// Where the column ends, up to rounding.
    double nearly() const { return m_from + (m_to - m_from) / m_columns * (m_column + 1); }
    bool operator()(double x) const { return m_end ? x < *m_end : !isBehind(x); }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    bool isBehind(double x) const { return columnAt(x, m_from, m_to, m_columns) > m_column; }

    int m_column;
    int m_columns;
    double m_from;
    double m_to;
    std::optional<double> m_end;  ///< none: it lies where numbers are denser than x are
};

/// The sample of the block that probably has this x, were its rhythm even.
std::size_t ColumnQuery::guessInside(XAxis axis, std::size_t index, double x) const
{
    const double first = firstX(axis, index);
    const double share = (x - first) / (lastX(axis, index) - first);
    const double last = block(index).count - 1.0;
    return share > 0 ? static_cast<std::size_t>(std::min(share, 1.0) * last) : 0;
}

/// The blocks in which columns begin.
std::vector<ColumnQuery::Edge> ColumnQuery::blockEdgesOf(XAxis axis, const Interval &interval,
                                                         const std::vector<ColumnEnd> &ends) const
{
    constexpr std::size_t recent = 8;  // columns tell how many blocks the next one has
    constexpr std::size_t lag = 4;
    std::vector<Edge> edges{{interval.begin}};
    edges.reserve(ends.size() + 2);
    std::size_t stride = 0;
    for (const ColumnEnd &end : ends) {
        const std::size_t guess = stride > recent ? stride / recent - 1 : 0;
        const std::size_t at = skipBlocks(axis, edges.back().at.block, interval.endBlock, guess, end);
        edges.push_back({{at, at == interval.begin.block ? interval.begin.sample : 0}});
        const std::size_t known = std::min(edges.size() - 1, recent);
        stride = (at - edges[edges.size() - 1 - known].at.block) * recent / known;
        prefetchBlocks(at + 3 * stride / recent);
        if (at < m_curve.packed.size())
            m_curve.bytes.prefetch(m_curve.packed[at]);
        if (edges.size() > lag)
            findBytes(edges[edges.size() - 1 - lag]);
    }
    edges.push_back({interval.end});
    for (std::size_t i = edges.size() - std::min(edges.size(), lag + 1); i < edges.size(); ++i)
        findBytes(edges[i]);
    return edges;
}

/// Each step for all columns before the next step, so that the memory that it needs is on its way meanwhile.
std::vector<ColumnQuery::Edge> ColumnQuery::edgesOf(XAxis axis, const Interval &interval, double xFrom, double xTo,
                                                    int columns) const
{
    const int first = columnAt(xAt(axis, interval.begin), xFrom, xTo, columns);
    const int last = columnAt(xAt(axis, before(interval.end)), xFrom, xTo, columns);
    std::vector<ColumnEnd> ends;
    ends.reserve(static_cast<std::size_t>(std::max(0, last - first)));
    for (int column = first; column < last; ++column)
        ends.emplace_back(column, xFrom, xTo, columns);
    std::vector<Edge> edges = blockEdgesOf(axis, interval, ends);
    constexpr std::size_t ahead = 4;
    for (std::size_t i = 1; i + 1 < edges.size(); ++i) {
        if (i + ahead + 1 < edges.size())
            guessAndPrefetch(edges[i + ahead], axis, ends[i + ahead - 1].nearly());
        if (edges[i].at.block == edges[i - 1].at.block)
            edges[i].at.sample = edges[i - 1].at.sample;
        if (edges[i].at.block < interval.endBlock) {
            loadEdge(edges[i]);
            edges[i].at = skipInside(axis, edges[i].at, edges[i].guess, ends[i - 1]);
        }
        if (numberOf(edges[i].at) > numberOf(interval.end))  // a file that says nonsense
            edges[i] = edges.back();
    }
    const auto same = [](const Edge &a, const Edge &b) { return a.at == b.at; };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    return edges;
}

void ColumnQuery::findBytes(Edge &edge) const
{
    if (edge.at.block < m_curve.packed.size())
        edge.bytes = m_curve.bytes.ofIfInMemory(m_curve.packed[edge.at.block]);
    edge.changes = m_curve.bytes.changes();
}

/// Prepares a view of the edge's block without a search for its bytes.
void ColumnQuery::loadEdge(const Edge &edge) const
{
    if (edge.bytes && m_curve.bytes.changes() == edge.changes)
        useBytes(edge.at.block, edge.bytes);
}

/// A jitter of the clock moves an edge by a block or two.
void ColumnQuery::prefetchBlocks(std::size_t index) const
{
    for (std::size_t i = index - std::min<std::size_t>(index, 1); i < std::min(index + 2, m_curve.packed.size()); ++i)
        __builtin_prefetch(&m_curve.packed[i]);
}

void ColumnQuery::guessAndPrefetch(Edge &edge, XAxis axis, double x) const
{
    if (!edge.bytes)
        return;
    edge.guess = guessInside(axis, edge.at.block, x);
    const Block &block = m_curve.packed[edge.at.block];
    const std::size_t width = axis == XAxis::Step ? block.widths.step : block.widths.time;
    if (width == 0)
        return;
    // The arrays are values, steps, times; see Block.
    const std::size_t before = block.widths.value + std::size_t{axis == XAxis::Step ? 0U : block.widths.step};
    const unsigned char *sample = edge.bytes + before * block.count + edge.guess * width;
    __builtin_prefetch(sample - 32);
    __builtin_prefetch(sample + 32);
}

void ColumnQuery::prefetchSummary(const Edge &edge) const
{
    m_curve.summaries.prefetch(edge.at.block);
    if (!edge.bytes || edge.at.sample == 0)
        return;
    const Block &block = m_curve.packed[edge.at.block];
    // The shorter part, which BlockView::split() always looks at.
    const bool headIsShort = edge.at.sample <= block.count / 2;
    const std::size_t begin = (headIsShort ? 0 : edge.at.sample) * block.widths.value;
    const std::size_t end = (headIsShort ? edge.at.sample : block.count) * block.widths.value;
    for (std::size_t at = begin; at < end; at += 64)
        __builtin_prefetch(edge.bytes + at);
}

std::vector<Column> ColumnQuery::columns(XAxis axis, double xFrom, double xTo, int columns, Edges edges) const
{
    std::vector<Column> result;
    if (m_curve.size == 0 || columns <= 0 || !(xFrom <= xTo))
        return result;
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

std::vector<Column> ColumnQuery::columnsSince(double since, XAxis axis, double xFrom, double xTo, int columns,
                                              Edges edges) const
{
    std::vector<Column> result;
    if (m_curve.size == 0 || columns <= 0 || !(xFrom <= xTo))
        return result;
    const std::size_t end = blockCount();
    const Position begin = skip(axis, {0, 0}, end, 0, [&](double x) { return x < since; });
    const Interval interval{begin, skip(axis, begin, end, 0, [&](double x) { return x <= xTo; }), 0, end};
    addColumns(axis, interval, xFrom, xTo, columns, result);
    if (edges == Edges::WithNeighbours && interval.end != Position{end, 0})
        result.push_back(columnOf(axis, {interval.end}, {after(interval.end)}));
    return result;
}

std::vector<Column> ColumnQuery::columnsBefore(double until, XAxis axis, double xFrom, double xTo, int columns,
                                               Edges edges) const
{
    std::vector<Column> result;
    if (m_curve.size == 0 || columns <= 0 || !(xFrom <= xTo))
        return result;
    const std::size_t end = blockCount();
    const Position begin = skip(axis, {0, 0}, end, 0, [&](double x) { return x < xFrom; });
    const Interval interval{begin, skip(axis, begin, end, 0, [&](double x) { return x < until; }), 0, end};
    if (edges == Edges::WithNeighbours && begin != Position{0, 0})
        result.push_back(columnOf(axis, {before(begin)}, {begin}));
    addColumns(axis, interval, xFrom, xTo, columns, result);
    return result;
}

void ColumnQuery::addSegment(XAxis axis, const Interval &segment, double xFrom, double xTo, int columns, Edges edges,
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

void ColumnQuery::addColumns(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns,
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

const ColumnQuery::Split &ColumnQuery::splitAt(const Edge &edge) const
{
    if (!m_split || m_split->at != edge.at) {
        loadEdge(edge);
        const std::size_t index = edge.at.block;
        const Summary whole = index < m_curve.packed.size() ? m_curve.summaries.item(index) : m_curve.open.summary;
        auto [head, tail] = view(index).split(edge.at.sample, whole);
        m_split = Split{edge.at, head, tail};
    }
    return *m_split;
}

Summary ColumnQuery::summarize(const Edge &begin, const Edge &end) const
{
    if (begin.at.block == end.at.block) {
        loadEdge(begin);
        return view(begin.at.block).summarize(begin.at.sample, end.at.sample);
    }
    Summary all;
    std::size_t whole = begin.at.block;
    if (begin.at.sample > 0) {
        all = splitAt(begin).tail;
        ++whole;
    }
    const std::size_t open = m_curve.packed.size();
    if (whole < std::min(end.at.block, open))
        all.add(m_curve.summaries.range(whole, std::min(end.at.block, open)));
    if (whole <= open && open < end.at.block)
        all.add(m_curve.open.summary);
    if (end.at.sample > 0)
        all.add(splitAt(end).head);
    all.count = numberOf(end.at) - numberOf(begin.at);
    return all;
}

Column ColumnQuery::columnOf(XAxis axis, const Edge &begin, const Edge &end) const
{
    Column column;
    loadEdge(begin);
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
std::vector<Column> ColumnQuery::sharedColumns(XAxis axis, const std::vector<Interval> &segments, double xFrom,
                                               double xTo, int columns, Edges edges) const
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
