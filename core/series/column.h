#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace sweepscope::series {

/// What one pixel column needs: drawn as first -> min -> max -> last, so that a spike of one sample is seen at every
/// zoom.
struct Column {
    double x = 0;  ///< of the first sample in the column (step or seconds)
    double first = 0;
    double min = 0;
    double max = 0;
    double last = 0;
    std::uint64_t count = 0;    ///< samples in the column, NaN and infinities included
    bool hasNonFinite = false;  ///< some were NaN or infinite; they do not count for first, min, max, last and mean,
                                ///< which are NaN when there was nothing else
    /// X went back before it (a resumed rank), or nothing was measured in between: draw no line from the column before.
    bool startsSegment = false;
    double mean = std::numeric_limits<double>::quiet_NaN();

    bool hasFinite() const { return !std::isnan(min); }
};

/// Which of `columns` columns of the range x lies in; it does not fall as x rises, whatever the rounding.
inline int columnAt(double x, double xFrom, double xTo, int columns)
{
    const double position = (x - xFrom) / (xTo - xFrom) * columns;
    if (!(position > 0))  // also 0 / 0: a range of one x
        return 0;
    return position >= columns ? columns - 1 : static_cast<int>(position);
}

/// What the columns of a range have beyond it.
enum class Edges {
    Cut,            ///< nothing
    WithNeighbours  ///< of each segment one sample more at either side, so that its line reaches the edges of a plot
};

}  // namespace sweepscope::series
