#include "ui/plot/groupmedians.h"

#include "ui/plot/quantile.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>
#include <unordered_set>
#include <utility>

namespace sweepscope::ui {

namespace {

using Columns = std::span<const series::Column>;

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

void addCurve(std::vector<std::vector<double>> &values, const std::vector<series::Column> &columns,
              const std::vector<double> &places)
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
            values[i].push_back(value);
    }
}

void addPlace(GroupMedian &group, double x, std::vector<double> &values, bool startsSegment)
{
    series::Column column;
    column.x = x;
    column.count = values.size();
    column.startsSegment = startsSegment;
    column.first = column.min = column.max = column.last = column.mean = quantile(values, 0.5);
    group.median.push_back(column);
    column.min = quantile(values, 0.25);
    column.max = quantile(values, 0.75);
    group.band.push_back(column);
}

}  // namespace

std::vector<GroupMedian> groupMedians(const std::vector<GroupedCurve> &curves, std::size_t groups, double from,
                                      double to, std::size_t most)
{
    const std::vector<double> places = placesOf(curves, from, to, most);
    std::vector<std::vector<std::vector<double>>> values(groups, std::vector<std::vector<double>>(places.size()));
    for (const GroupedCurve &curve : curves)
        addCurve(values[static_cast<std::size_t>(curve.group)], *curve.columns, places);
    std::vector<GroupMedian> medians(groups);
    for (std::size_t group = 0; group < groups; ++group) {
        bool isGap = false;
        for (std::size_t i = 0; i < places.size(); ++i) {
            std::vector<double> &here = values[group][i];
            if (here.empty())
                isGap = true;
            else
                addPlace(medians[group], places[i], here, std::exchange(isGap, false));
        }
    }
    return medians;
}

}  // namespace sweepscope::ui
