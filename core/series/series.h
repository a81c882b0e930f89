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

/// What one pixel column needs: drawn as first -> min -> max -> last, so that a spike of one sample is seen at every zoom.
struct Column {
    double x = 0;      ///< of the first sample in the column (step, or seconds since 1970)
    double first = 0;
    double min = 0;
    double max = 0;
    double last = 0;
    std::uint64_t count = 0;      ///< samples in the column, NaN and infinities included
    bool hasNonFinite = false;    ///< some were NaN or infinite; they do not count for first, min, max, last
};

/// One curve with every point it ever had, and a pyramid of minima and maxima over it, so that a view of any range costs
/// the number of columns and not the number of points. Appended in time order; one thread at a time.
class Series {
public:
    Series(std::string name, std::string unit);

    void append(const Sample &sample);

    const std::string &name() const { return m_name; }
    const std::string &unit() const { return m_unit; }
    std::size_t size() const { return m_samples.size(); }
    bool empty() const { return m_samples.empty(); }
    const std::vector<Sample> &samples() const { return m_samples; }

    /// The range [xFrom, xTo] in at most `columns` columns; empty columns are left out. Wall time in seconds since 1970.
    /// Steps that go backwards (a resumed rank) are handled: then the columns are in sample order.
    std::vector<Column> columns(XAxis axis, double xFrom, double xTo, int columns) const;

private:
    struct Node {
        double min;
        double max;
        bool hasNonFinite;
    };
    std::string m_name;
    std::string m_unit;
    std::vector<Sample> m_samples;
    std::vector<std::vector<Node>> m_levels;  ///< level k: one node for 16^(k+1) samples
    bool m_stepsAscend = true;
};

}  // namespace sweepscope::series
