#pragma once

#include "series/blockbytes.h"
#include "series/column.h"
#include "series/pyramid.h"
#include "series/sample.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::series {

/// What columns() has beyond the range.
enum class Edges {
    Cut,            ///< nothing
    WithNeighbours  ///< of each segment one sample more at either side, so that its line reaches the edges of a plot
};

/// One curve with every point it ever had, and a pyramid of minima and maxima over it, so that a view of any range
/// costs the number of columns and not the number of points. Appended in time order; one thread at a time, questions
/// included.
///
///     blocks    [ up to 128 samples, packed ][ ... ][ ... ]   a new one where steps or times go back
///     level 0   [ its summary                ][ ... ][ ... ]
///     level 1   [ summary of 8 neighbours ............... ]   and so on
///
/// A block's summary and its ends are in memory. Its bytes may lie in a file, and only those of the blocks at the edges
/// of columns are read.
class Series {
public:
    Series(std::string name, std::string unit);
    /// With the bytes of its blocks in `bytes`, which several series share.
    Series(std::string name, std::string unit, std::shared_ptr<BlockBytes> bytes);

    void append(const Sample &sample);

    const std::string &name() const { return m_name; }
    const std::string &unit() const { return m_unit; }
    std::size_t size() const;
    bool empty() const { return size() == 0; }
    /// The lowest and the highest x; of a curve that is not empty.
    std::pair<double, double> extent(XAxis axis) const;
    Sample front() const { return sample(0); }
    Sample back() const { return m_open.empty() ? sample(size() - 1) : m_open.back(); }
    /// The sample of this number, which is below size().
    Sample sample(std::size_t number) const;

    /// Zero of XAxis::RelativeTime; the first sample's time unless set.
    void setOrigin(std::int64_t timeNs)
    {
        m_origin = timeNs;
        m_history = newHistory();
    }
    double xOf(XAxis axis, const Sample &sample) const;

    /// The range [xFrom, xTo] in columns; empty ones are left out. Column i holds the samples with
    /// floor((x - xFrom) / (xTo - xFrom) * columns) = i, and the last one those at xTo too. An infinite end of the
    /// range means the curve's own end. Where x goes back (a resumed rank, a corrected clock) a new segment starts,
    /// with columns of its own. More than 64 segments share columns: then column i holds the samples of all of them, in
    /// the order in which they came, and the columns are in the order of x.
    std::vector<Column> columns(XAxis axis, double xFrom, double xTo, int columns, Edges edges = Edges::Cut) const;

    /// Of a curve that does not go back, what columns() has from the column on that begins at `since`, which is in the
    /// range.
    std::vector<Column> columnsSince(double since, XAxis axis, double xFrom, double xTo, int columns,
                                     Edges edges = Edges::Cut) const;
    /// The same before the column that begins at `until`.
    std::vector<Column> columnsBefore(double until, XAxis axis, double xFrom, double xTo, int columns,
                                      Edges edges = Edges::Cut) const;
    /// Whether the curve has several segments.
    bool goesBack(XAxis axis) const;
    /// The same as before: the curve has only grown since then.
    std::shared_ptr<const void> history() const { return m_history; }

    // For the one who keeps blocks in a file.
    const std::vector<Block> &blocks() const { return m_blocks; }
    /// Take a block that follows; its bytes are where `place` says. False: it cannot follow, and was not taken.
    bool adopt(const PackedBlock &packed);
    /// Keep so many blocks, and nothing that came after them.
    void cut(std::size_t blocks);
    /// Pack the samples that are not in a block yet.
    void seal();
    void reserve(std::size_t blocks);
    Summary summaryOf(std::size_t block) const;
    void setPlace(std::size_t block, std::uint64_t place) { m_blocks[block].place = place; }

private:
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

    /// Where a column begins or the last one ends, and the bytes of its block if they are at hand.
    struct Edge {
        Position at;
        const unsigned char *bytes = nullptr;
        std::uint64_t changes = 0;             ///< while these are of the bytes' owner
        std::size_t guess = blockSamples / 2;  ///< the sample where it probably lies
    };

    static std::shared_ptr<const void> newHistory() { return std::make_shared<char>(); }
    std::size_t blockCount() const { return m_blocks.size() + (m_open.empty() ? 0 : 1); }
    const Block &block(std::size_t index) const;
    const BlockView &view(std::size_t index) const;
    void beginQuestion() const;
    std::uint64_t numberOf(Position position) const;
    double xOf(XAxis axis, std::int64_t step, std::int64_t timeNs) const;
    double xOf(XAxis axis, const BlockView &samples, std::size_t sample) const;
    double firstX(XAxis axis, std::size_t block) const;
    double lastX(XAxis axis, std::size_t block) const;
    double xAt(XAxis axis, Position position) const;
    /// The first position from `from` on whose x is not `before`, a predicate that turns from true to false once.
    template <typename Before>
    Position skip(XAxis axis, Position from, std::size_t endBlock, std::size_t guess, Before before) const;
    template <typename Before>
    std::size_t skipBlocks(XAxis axis, std::size_t from, std::size_t endBlock, std::size_t guess, Before before) const;
    template <typename Before>
    Position skipInside(XAxis axis, Position from, std::size_t guess, Before before) const;
    std::size_t guessInside(XAxis axis, std::size_t index, double x) const;
    std::vector<std::size_t> segmentStarts(XAxis axis) const;
    std::vector<Interval> segmentsInRange(XAxis axis, double xFrom, double xTo, Edges edges) const;
    Position before(Position position) const;
    Position after(Position position) const;
    void addSegment(XAxis axis, const Interval &segment, double xFrom, double xTo, int columns, Edges edges,
                    std::vector<Column> &out) const;
    void addColumns(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns,
                    std::vector<Column> &out) const;
    class ColumnEnd;
    std::vector<Edge> blockEdgesOf(XAxis axis, const Interval &interval, const std::vector<ColumnEnd> &ends) const;
    std::vector<Edge> edgesOf(XAxis axis, const Interval &interval, double xFrom, double xTo, int columns) const;
    void findBytes(Edge &edge) const;
    void look(const Edge &edge) const;
    void prefetchBlocks(std::size_t index) const;
    void guessAndPrefetch(Edge &edge, XAxis axis, double x) const;
    void prefetchSummary(const Edge &edge) const;
    /// A block in two parts.
    struct Split {
        Position at;
        Summary head;  ///< what is before `at`
        Summary tail;
    };
    const Split &splitAt(const Edge &edge) const;
    Summary summarize(const Edge &begin, const Edge &end) const;
    Column columnOf(XAxis axis, const Edge &begin, const Edge &end) const;
    std::vector<Column> sharedColumns(XAxis axis, const std::vector<Interval> &segments, double xFrom, double xTo,
                                      int columns, Edges edges) const;

    std::string m_name;
    std::string m_unit;
    std::shared_ptr<BlockBytes> m_bytes;
    std::vector<Block> m_blocks;
    Pyramid m_summaries;                      ///< of the blocks
    std::vector<std::size_t> m_stepSegments;  ///< blocks where steps start again from a smaller one; the first is 0
    std::vector<std::size_t> m_timeSegments;  ///< the same for wall time, which a clock correction turns back
    std::optional<std::int64_t> m_origin;
    mutable std::int64_t m_zero = 0;  ///< of relative time, as of the last question
    std::shared_ptr<const void> m_history = newHistory();

    std::vector<Sample> m_open;  ///< of the block that still grows
    // The same as a block, made when it is asked for.
    mutable PackedBlock m_openBlock;
    mutable std::vector<unsigned char> m_openBytes;
    mutable std::size_t m_packed = 0;  ///< how many samples of m_open it has
    // The block that was looked into last: a question asks for the one at a column's edge several times.
    mutable std::size_t m_viewed = 0;
    mutable std::optional<BlockView> m_view;
    mutable std::optional<Split> m_split;  ///< the one asked for last: a column ends where the next one begins
};

}  // namespace sweepscope::series
