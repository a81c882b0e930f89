#include "series/seriessearch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

/// Where the columns of a plot begin and end in a curve. A question waits for memory more than for anything else, so
/// each step asks for what a later one needs.
namespace sweepscope::series {

/// Whether an x lies in a column of a plot or in one before it. Which column an x lies in takes a division: where the
/// first x behind the column is found at once, a comparison is enough.
class Series::ColumnEnd {
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
    /// Where the column ends, but for rounding.
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
std::size_t Series::guessInside(XAxis axis, std::size_t index, double x) const
{
    const double first = firstX(axis, index);
    const double share = (x - first) / (lastX(axis, index) - first);
    const double last = block(index).count - 1.0;
    return share > 0 ? static_cast<std::size_t>(std::min(share, 1.0) * last) : 0;
}

/// The blocks in which columns begin.
std::vector<Series::Edge> Series::blockEdgesOf(XAxis axis, const Interval &interval,
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
        if (at < m_blocks.size())
            m_bytes->prefetch(m_blocks[at]);
        if (edges.size() > lag)
            findBytes(edges[edges.size() - 1 - lag]);
    }
    edges.push_back({interval.end});
    for (std::size_t i = edges.size() - std::min(edges.size(), lag + 1); i < edges.size(); ++i)
        findBytes(edges[i]);
    return edges;
}

/// Each step for all columns before the next step, so that the memory that it needs is on its way meanwhile.
std::vector<Series::Edge> Series::edgesOf(XAxis axis, const Interval &interval, double xFrom, double xTo,
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
            look(edges[i]);
            edges[i].at = skipInside(axis, edges[i].at, edges[i].guess, ends[i - 1]);
        }
        if (numberOf(edges[i].at) > numberOf(interval.end))  // a file that says nonsense
            edges[i] = edges.back();
    }
    const auto same = [](const Edge &a, const Edge &b) { return a.at == b.at; };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    return edges;
}

void Series::findBytes(Edge &edge) const
{
    if (edge.at.block < m_blocks.size())
        edge.bytes = m_bytes->ofIfInMemory(m_blocks[edge.at.block]);
    edge.changes = m_bytes->changes();
}

/// A view of the edge's block is at hand after it, without a search for its bytes.
void Series::look(const Edge &edge) const
{
    if (edge.bytes && m_bytes->changes() == edge.changes && !(m_view && m_viewed == edge.at.block)) {
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

void Series::prefetchSummary(const Edge &edge) const
{
    m_summaries.prefetch(edge.at.block);
    if (!edge.bytes || edge.at.sample == 0)
        return;
    const Block &block = m_blocks[edge.at.block];
    // The shorter part, which BlockView::split() always looks at.
    const bool headIsShort = edge.at.sample <= block.count / 2;
    const std::size_t begin = (headIsShort ? 0 : edge.at.sample) * block.widths.value;
    const std::size_t end = (headIsShort ? edge.at.sample : block.count) * block.widths.value;
    for (std::size_t at = begin; at < end; at += 64)
        __builtin_prefetch(edge.bytes + at);
}

}  // namespace sweepscope::series
