#include "ui/plot/groupmeans.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_set>
#include <utility>

namespace sweepscope::ui {

namespace {

using Columns = std::span<const series::Column>;

/// Welford's sums, which stay exact for values far from zero.
struct Sums {
    std::size_t count = 0;
    double mean = 0;
    double squares = 0;

    void add(double value)
    {
        ++count;
        const double off = value - mean;
        mean += off / static_cast<double>(count);
        squares += off * (value - mean);
    }
    double deviation() const { return count < 2 ? 0 : std::sqrt(squares / static_cast<double>(count - 1)); }
};

std::vector<double> equalDistances(double from, double to, std::size_t most)
{
    std::vector<double> places;
    for (std::size_t i = 0; i < most; ++i)
        places.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(most - 1));
    return places;
}

std::vector<double> placesOf(const std::vector<GroupedCurve> &curves, double from, double to, std::size_t most)
{
    std::unordered_set<double> points;
    for (const GroupedCurve &curve : curves) {
        for (const series::Column &column : *curve.columns) {
            if (column.x < from || column.x > to)
                continue;
            points.insert(column.x);
            if (points.size() > most)
                return equalDistances(from, to, most);
        }
    }
    std::vector<double> places(points.begin(), points.end());
    std::ranges::sort(places);
    return places;
}

double valueOf(const series::Column &column)
{
    return column.count > 1 && std::isfinite(column.mean) ? column.mean : column.last;
}

/// Newest first.
std::vector<Columns> segmentsOf(const std::vector<series::Column> &columns)
{
    std::vector<Columns> segments;
    std::size_t end = columns.size();
    while (end > 0) {
        std::size_t begin = end - 1;
        while (begin > 0 && !columns[begin].startsSegment)
            --begin;
        segments.push_back(Columns(columns).subspan(begin, end - begin));
        end = begin;
    }
    return segments;
}

/// The course of a segment, asked for rising places.
class Course {
public:
    explicit Course(Columns columns) : m_columns(columns) {}

    bool hasBegun(double x) const { return m_columns.front().x <= x; }
    /// NaN: no value.
    double at(double x)
    {
        while (m_next < m_columns.size() && m_columns[m_next].x <= x)
            ++m_next;
        const series::Column &before = m_columns[m_next - 1];
        if (before.x == x)
            return valueOf(before);
        if (m_next == m_columns.size())
            return std::numeric_limits<double>::quiet_NaN();
        const series::Column &after = m_columns[m_next];
        return std::lerp(before.last, after.first, (x - before.x) / (after.x - before.x));
    }

private:
    Columns m_columns;
    std::size_t m_next = 0;
};

void addCurve(std::vector<Sums> &sums, const std::vector<series::Column> &columns, const std::vector<double> &places)
{
    std::vector<Course> courses;
    for (const Columns segment : segmentsOf(columns))
        courses.emplace_back(segment);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double x = places[i];
        const auto course = std::ranges::find_if(courses, [x](const Course &one) { return one.hasBegun(x); });
        if (course == courses.end())
            continue;
        if (const double value = course->at(x); std::isfinite(value))
            sums[i].add(value);
    }
}

series::Column columnOf(double x, const Sums &sums, double spread)
{
    series::Column column;
    column.x = x;
    column.first = column.last = column.mean = sums.mean;
    column.min = sums.mean - spread;
    column.max = sums.mean + spread;
    column.count = sums.count;
    return column;
}

}  // namespace

std::vector<GroupMean> groupMeans(const std::vector<GroupedCurve> &curves, std::size_t groups, double from, double to,
                                  std::size_t most)
{
    const std::vector<double> places = placesOf(curves, from, to, most);
    std::vector<std::vector<Sums>> sums(groups, std::vector<Sums>(places.size()));
    for (const GroupedCurve &curve : curves)
        addCurve(sums[static_cast<std::size_t>(curve.group)], *curve.columns, places);
    std::vector<GroupMean> means(groups);
    for (std::size_t group = 0; group < groups; ++group) {
        bool isGap = false;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Sums &here = sums[group][i];
            if (here.count == 0) {
                isGap = true;
                continue;
            }
            means[group].mean.push_back(columnOf(places[i], here, 0));
            means[group].mean.back().startsSegment = std::exchange(isGap, false);
            means[group].band.push_back(columnOf(places[i], here, here.deviation()));
            means[group].band.back().startsSegment = means[group].mean.back().startsSegment;
        }
    }
    return means;
}

}  // namespace sweepscope::ui
