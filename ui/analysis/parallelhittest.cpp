#include "ui/analysis/parallelhittest.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {

namespace {

constexpr double axisTolerance = 10;  ///< pixels
constexpr double lineTolerance = 5;

}  // namespace

int axisAt(const ParallelPlaces &places, const QPointF &point)
{
    if (point.y() < places.top - rangeEndTolerance || point.y() > places.bottom + rangeEndTolerance)
        return -1;
    const auto isNear = [&point](double x) { return std::abs(point.x() - x) <= axisTolerance; };
    const auto found = std::ranges::find_if(places.xs, isNear);
    return found == places.xs.end() ? -1 : static_cast<int>(found - places.xs.begin());
}

int titleAt(const ParallelPlaces &places, const QPointF &point)
{
    if (point.y() >= places.top - rangeEndTolerance || places.xs.empty())
        return -1;
    const auto nearest = std::ranges::min_element(places.xs, {}, [&](double x) { return std::abs(x - point.x()); });
    return static_cast<int>(nearest - places.xs.begin());
}

int rowAt(const AnalysisFigure &figure, const ParallelPlaces &places, const std::vector<char> &within,
          const QPointF &point)
{
    const std::vector<double> &xs = places.xs;
    if (xs.size() < 2 || point.y() < places.top - lineTolerance || point.y() > places.bottom + lineTolerance)
        return -1;
    const auto right = std::ranges::upper_bound(xs, point.x());
    if (right == xs.begin() || right == xs.end())
        return -1;
    const auto left = static_cast<std::size_t>(right - xs.begin() - 1);
    const auto positionsOf = [&](std::size_t index) -> const std::vector<float> & {
        return figure.axes[static_cast<std::size_t>(places.axes[index])].positions;
    };
    const double share = (point.x() - xs[left]) / (xs[left + 1] - xs[left]);
    const std::vector<float> &from = positionsOf(left);
    const std::vector<float> &to = positionsOf(left + 1);
    const double height = places.bottom - places.top;
    int nearest = -1;
    double distance = lineTolerance;
    for (const int row : figure.fromWorst) {  // of equally near lines, the best is on top
        const auto at = static_cast<std::size_t>(row);
        if (!within[at])
            continue;
        const double here = from[at] + (to[at] - from[at]) * share;
        // The distance to a steep line is shorter at a right angle than vertically.
        const double slope = (to[at] - from[at]) * height / (xs[left + 1] - xs[left]);
        const double away = std::abs(places.yOf(here) - point.y()) / std::sqrt(1 + slope * slope);
        if (away <= distance) {
            distance = away;
            nearest = row;
        }
    }
    return nearest;
}

int dropIndex(const ParallelPlaces &places, int dragged, double x)
{
    int index = 0;
    for (std::size_t i = 0; i < places.xs.size(); ++i)
        index += static_cast<int>(i) != dragged && x > places.xs[i] ? 1 : 0;
    return index;
}

RangeDrag RangeDrag::from(double position, const std::optional<PositionRange> &range, double tolerance)
{
    RangeDrag drag{Kind::Select, position, range.value_or(PositionRange(position, position))};
    if (!range)
        return drag;
    if (std::abs(position - range->second) <= tolerance)
        drag.kind = Kind::HighEnd;
    else if (std::abs(position - range->first) <= tolerance)
        drag.kind = Kind::LowEnd;
    else if (position > range->first && position < range->second)
        drag.kind = Kind::Move;
    return drag;
}

PositionRange RangeDrag::rangeAt(double position) const
{
    switch (kind) {
    case Kind::Select:
        break;
    case Kind::Move:
        return moved(before, RangePart::All, position - grip, 0);
    case Kind::LowEnd:
        return std::minmax({position, before.second});
    case Kind::HighEnd:
        return std::minmax({before.first, position});
    }
    return std::minmax({grip, position});
}

PositionRange moved(const PositionRange &range, RangePart part, double by, double smallest)
{
    const auto [low, high] = range;
    switch (part) {
    case RangePart::LowEnd:
        return {std::clamp(low + by, 0.0, std::max(0.0, high - smallest)), high};
    case RangePart::HighEnd:
        return {low, std::clamp(high + by, std::min(1.0, low + smallest), 1.0)};
    case RangePart::All:
        break;
    }
    const double within = std::clamp(by, -low, 1 - high);
    return {low + within, high + within};
}

}  // namespace sweepscope::ui
