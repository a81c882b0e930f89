#pragma once

#include "series/blockbytes.h"
#include "series/blocksearch.h"
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
    /// with its own columns. More than 64 segments share columns: then column i holds the samples of all of them, in
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
    /// Keeps the first `blocks` blocks and removes everything after them.
    void cut(std::size_t blocks);
    /// Pack the samples that are not in a block yet.
    void seal();
    void reserve(std::size_t blocks);
    Summary summaryOf(std::size_t block) const;
    void setPlace(std::size_t block, std::uint64_t place) { m_blocks[block].place = place; }

private:
    static std::shared_ptr<const void> newHistory() { return std::make_shared<char>(); }
    /// Packs the samples that are in no block yet, so that a question knows only blocks.
    CurveBlocks curve() const;

    std::string m_name;
    std::string m_unit;
    std::shared_ptr<BlockBytes> m_bytes;
    std::vector<Block> m_blocks;
    Pyramid m_summaries;                      ///< of the blocks
    std::vector<std::size_t> m_stepSegments;  ///< blocks where steps start again from a smaller one; the first is 0
    std::vector<std::size_t> m_timeSegments;  ///< the same for wall time, which a clock correction turns back
    std::optional<std::int64_t> m_origin;
    std::shared_ptr<const void> m_history = newHistory();

    std::vector<Sample> m_open;  ///< of the block that still grows
    // The same as a block, made when it is asked for.
    mutable PackedBlock m_openBlock;
    mutable std::vector<unsigned char> m_openBytes;
    mutable std::size_t m_packed = 0;  ///< how many samples of m_open it has
};

}  // namespace sweepscope::series
