#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::series {

struct Sample {
    std::int64_t step = 0;
    std::int64_t timeNs = 0;
    double value = 0;
};

/// What the x axis shows.
enum class XAxis { Step, WallTime };

/// What one pixel column needs: drawn as first -> min -> max -> last, so that a spike of one sample is seen at every
/// zoom.
struct Column {
    double x = 0;  ///< of the first sample in the column (step, or seconds since 1970)
    double first = 0;
    double min = 0;
    double max = 0;
    double last = 0;
    std::uint64_t count = 0;    ///< samples in the column, NaN and infinities included
    bool hasNonFinite = false;  ///< some were NaN or infinite; they do not count for first, min, max, last, which are
                                ///< NaN when there was nothing else
};

/// One curve with every point it ever had, and a pyramid of minima and maxima over it, so that a view of any range
/// costs the number of columns and not the number of points. Appended in time order; one thread at a time.
///
///     samples   s s s s s s s s s s s s s s s s | s s s s s ...
///     level 0   [ min max of 16 samples ........ ][ ... so far ]
///     level 1   [ min max of 16 nodes = 256 samples ........... ]
class Series {
public:
    Series(std::string name, std::string unit);

    void append(const Sample &sample);

    const std::string &name() const { return m_name; }
    const std::string &unit() const { return m_unit; }
    std::size_t size() const { return m_samples.size(); }
    bool empty() const { return m_samples.empty(); }
    const std::vector<Sample> &samples() const { return m_samples; }

    /// The range [xFrom, xTo] in at most `columns` columns; empty columns are left out. Wall time in seconds since
    /// 1970. Column i of an ascending curve holds the samples with floor((x - xFrom) / (xTo - xFrom) * columns) = i,
    /// and the last one those at xTo too. An infinite end of the range means the curve's own end. Steps that go
    /// backwards (a resumed rank) are handled: then the columns are in sample order, and each ascending run has a share
    /// of them.
    std::vector<Column> columns(XAxis axis, double xFrom, double xTo, int columns) const;

    /// The value of `sample` on an axis.
    static double xOf(XAxis axis, const Sample &sample)
    {
        return axis == XAxis::Step ? static_cast<double>(sample.step) : static_cast<double>(sample.timeNs) * 1e-9;
    }

private:
    /// Of a block of samples; min > max when none of them is finite.
    struct Node {
        double min;
        double max;
        bool hasNonFinite;

        static Node of(double value);
        bool hasFinite() const { return min <= max; }
        void add(const Node &other);
    };
    /// Samples [begin, end) with x inside a range.
    struct Interval {
        std::size_t begin;
        std::size_t end;
    };
    /// An aligned block: node `index` of m_levels[level], or, at level -1, one sample.
    struct Block {
        int level;
        std::size_t index;
    };

    Node nodeAt(Block block) const;
    std::vector<Interval> runsInRange(XAxis axis, double xFrom, double xTo) const;
    void addColumns(XAxis axis, Interval interval, double xFrom, double xTo, int columns,
                    std::vector<Column> &out) const;
    Column columnOf(XAxis axis, Interval interval, std::vector<Block> &scratch) const;
    void cover(Interval interval, std::vector<Block> &blocks) const;
    double firstFinite(Block block) const;
    double lastFinite(Block block) const;

    std::string m_name;
    std::string m_unit;
    std::vector<Sample> m_samples;
    std::vector<std::vector<Node>>
        m_levels;                         ///< level k: one node for 16^(k+1) samples, the last one perhaps for fewer
    std::vector<std::size_t> m_stepRuns;  ///< where steps start again from a smaller one; the first is 0
    std::vector<std::size_t> m_timeRuns;  ///< the same for wall time, which a clock correction turns back
};

}  // namespace sweepscope::series
