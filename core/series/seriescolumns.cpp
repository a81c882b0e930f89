#include "series/series.h"

#include <algorithm>
#include <cmath>

/// How a curve becomes the columns of a plot.
namespace sweepscope::series {

namespace {

/// Does not fall as x rises, whatever the rounding: so a column is a range of an ascending curve.
int columnAt(double x, double xFrom, double xTo, int columns)
{
    const double position = (x - xFrom) / (xTo - xFrom) * columns;
    if (!(position > 0))  // also 0 / 0: a range of one x
        return 0;
    return position >= columns ? columns - 1 : static_cast<int>(position);
}

void merge(Column &left, const Column &right)
{
    left.count += right.count;
    left.hasNonFinite = left.hasNonFinite || right.hasNonFinite;
    if (std::isnan(right.min))
        return;
    if (std::isnan(left.min)) {
        left.first = right.first;
        left.min = right.min;
        left.max = right.max;
    }
    left.min = std::min(left.min, right.min);
    left.max = std::max(left.max, right.max);
    left.last = right.last;
}

}  // namespace

std::vector<Column> Series::columns(XAxis axis, double xFrom, double xTo, int columns) const
{
    std::vector<Column> result;
    if (m_samples.empty() || columns <= 0 || !(xFrom <= xTo))
        return result;
    const std::vector<Interval> runs = runsInRange(axis, xFrom, xTo);
    if (runs.empty())
        return result;
    std::size_t samples = 0;
    for (const Interval &run : runs)
        samples += run.end - run.begin;
    result.reserve(std::min(static_cast<std::size_t>(columns), samples));

    const std::vector<std::size_t> &allRuns = axis == XAxis::Step ? m_stepRuns : m_timeRuns;
    if (allRuns.size() == 1) {
        const double low = std::isinf(xFrom) ? xOf(axis, m_samples.front()) : xFrom;
        const double high = std::isinf(xTo) ? xOf(axis, m_samples.back()) : xTo;
        addColumns(axis, runs.front(), low, high, columns, result);
        return result;
    }

    // More runs than columns: neighbours share one. Otherwise each has one, and the rest goes by their sizes.
    const auto total = static_cast<std::size_t>(columns);
    if (runs.size() > total) {
        std::vector<Block> scratch;
        for (std::size_t i = 0; i < total; ++i) {
            const std::size_t from = i * runs.size() / total;
            const std::size_t to = (i + 1) * runs.size() / total;
            Column merged = columnOf(axis, runs[from], scratch);
            for (std::size_t run = from + 1; run < to; ++run)
                merge(merged, columnOf(axis, runs[run], scratch));
            result.push_back(merged);
        }
        return result;
    }
    for (const Interval &run : runs) {
        const int columnsOfRun = 1 + static_cast<int>((total - runs.size()) * (run.end - run.begin) / samples);
        addColumns(axis, run, xOf(axis, m_samples[run.begin]), xOf(axis, m_samples[run.end - 1]), columnsOfRun, result);
    }
    return result;
}

std::vector<Series::Interval> Series::runsInRange(XAxis axis, double xFrom, double xTo) const
{
    const std::vector<std::size_t> &starts = axis == XAxis::Step ? m_stepRuns : m_timeRuns;
    std::vector<Interval> runs;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto begin = m_samples.begin() + static_cast<std::ptrdiff_t>(starts[i]);
        const auto end =
            i + 1 < starts.size() ? m_samples.begin() + static_cast<std::ptrdiff_t>(starts[i + 1]) : m_samples.end();
        const auto first =
            std::partition_point(begin, end, [&](const Sample &sample) { return xOf(axis, sample) < xFrom; });
        const auto last =
            std::partition_point(first, end, [&](const Sample &sample) { return xOf(axis, sample) <= xTo; });
        if (first != last)
            runs.push_back({static_cast<std::size_t>(first - m_samples.begin()),
                            static_cast<std::size_t>(last - m_samples.begin())});
    }
    return runs;
}

void Series::addColumns(XAxis axis, Interval interval, double xFrom, double xTo, int columns,
                        std::vector<Column> &out) const
{
    std::vector<Block> scratch;
    std::size_t begin = interval.begin;
    const auto last = m_samples.begin() + static_cast<std::ptrdiff_t>(interval.end);
    while (begin < interval.end) {
        const int column = columnAt(xOf(axis, m_samples[begin]), xFrom, xTo, columns);
        const auto next = std::partition_point(
            m_samples.begin() + static_cast<std::ptrdiff_t>(begin), last,
            [&](const Sample &sample) { return columnAt(xOf(axis, sample), xFrom, xTo, columns) <= column; });
        const auto end = static_cast<std::size_t>(next - m_samples.begin());
        out.push_back(columnOf(axis, {begin, end}, scratch));
        begin = end;
    }
}

}  // namespace sweepscope::series
