#pragma once

#include "series/blocksearch.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::series {

/// One question for the columns of a plot, answered from a curve's blocks and their summaries. A question waits for memory
/// more than for anything else, so each step asks for what a later one needs. What the functions return: series.h.
class ColumnQuery : private BlockSearch {
public:
    using BlockSearch::BlockSearch;

    std::vector<Column> columns(XAxis axis, double xFrom, double xTo, int columns, Edges edges) const;
    std::vector<Column> columnsSince(double since, XAxis axis, double xFrom, double xTo, int columns,
                                     Edges edges) const;
    std::vector<Column> columnsBefore(double until, XAxis axis, double xFrom, double xTo, int columns,
                                      Edges edges) const;

private:
    /// The start of a column or the end of the last one, with the bytes of its block if they are in memory.
    struct Edge {
        Position at;
        const unsigned char *bytes = nullptr;
        std::uint64_t changes = 0;             ///< while these are of the bytes' owner
        std::size_t guess = blockSamples / 2;  ///< the sample where it probably lies
    };

    /// A block in two parts.
    struct Split {
        Position at;
        Summary head;  ///< what is before `at`
        Summary tail;
    };
    void addSegment(XAxis axis, const Interval &segment, double xFrom, double xTo, int columns, Edges edges,
                    std::vector<Column> &out) const;
    void addColumns(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns,
                    std::vector<Column> &out) const;
    class ColumnEnd;
    std::vector<Edge> blockEdgesOf(XAxis axis, const Interval &interval, const std::vector<ColumnEnd> &ends) const;
    std::vector<Edge> edgesOf(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns) const;
    void findBytes(Edge &edge) const;
    void loadEdge(const Edge &edge) const;
    void prefetchBlocks(std::size_t index) const;
    void guessAndPrefetch(Edge &edge, XAxis axis, double x) const;
    void prefetchSummary(const Edge &edge) const;
    std::size_t guessInside(XAxis axis, std::size_t index, double x) const;
    const Split &splitAt(const Edge &edge) const;
    Summary summarize(const Edge &begin, const Edge &end) const;
    Column columnOf(XAxis axis, const Edge &begin, const Edge &end) const;
    std::vector<Column> sharedColumns(XAxis axis, const std::vector<Interval> &segments, double xFrom, double xTo,
                                      int columns, Edges edges) const;

    mutable std::optional<Split> m_split;  ///< the one asked for last: a column ends where the next one begins
};

}  // namespace sweepscope::series
