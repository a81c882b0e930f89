#include "search/axis.h"

#include "sweep/dimensionvalues.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sweepscope::search {

using sweep::DimensionKind;
using sweep::numberOf;
using sweep::ParameterValue;

namespace {

/// 16, 32, 64: yes; 1, 2, 3: no. At least three values, because two have any ratio.
bool ratiosAreEqual(const std::vector<double> &ascending)
{
    if (ascending.size() < 3 || ascending.front() <= 0)
        return false;
    const double ratio = ascending[1] / ascending[0];
    for (std::size_t i = 2; i < ascending.size(); ++i) {
        if (std::fabs(ascending[i] / ascending[i - 1] - ratio) > 1e-6 * ratio)
            return false;
    }
    return true;
}

}  // namespace

Axis::Axis(const sweep::Dimension &dimension) : m_dimension(&dimension)
{
    switch (dimension.kind) {
    case DimensionKind::Choice:
        break;
    case DimensionKind::Linear:
    case DimensionKind::Log:
        m_logarithmic = dimension.kind == DimensionKind::Log;
        m_low = toLine(dimension.low);
        m_high = toLine(dimension.high);
        break;
    case DimensionKind::Integer: {
        const double half = 0.5 * static_cast<double>(dimension.step);
        const double last = dimension.low
                            + std::floor((dimension.high - dimension.low) / static_cast<double>(dimension.step))
                                  * static_cast<double>(dimension.step);
        m_low = dimension.low - half;
        m_high = last + half;
        break;
    }
    case DimensionKind::List: {
        m_ascending.resize(dimension.values.size());
        std::iota(m_ascending.begin(), m_ascending.end(), std::size_t{0});
        std::ranges::sort(m_ascending, {},
                          [&](std::size_t place) { return numberOf(dimension.values[place]).value_or(0); });
        std::vector<double> points;
        for (const std::size_t place : m_ascending)
            points.push_back(numberOf(dimension.values[place]).value_or(0));
        m_logarithmic = ratiosAreEqual(points);
        for (double &point : points)
            point = toLine(point);
        if (points.size() == 1) {
            m_borders = {points[0] - 0.5, points[0] + 0.5};
        } else {
            m_borders.push_back(points[0] - 0.5 * (points[1] - points[0]));
            for (std::size_t i = 1; i < points.size(); ++i)
                m_borders.push_back(0.5 * (points[i - 1] + points[i]));
            m_borders.push_back(points.back() + 0.5 * (points.back() - points[points.size() - 2]));
        }
        m_low = m_borders.front();
        m_high = m_borders.back();
        break;
    }
    }
}

bool Axis::isContinuous() const
{
    return m_dimension->kind == DimensionKind::Linear || m_dimension->kind == DimensionKind::Log;
}

std::optional<double> Axis::coordinate(const ParameterValue &value) const
{
    const sweep::DimensionValues values(*m_dimension);
    if (!values.contains(value))
        return std::nullopt;
    return isCategorical() ? static_cast<double>(*values.indexOf(value)) : toLine(numberOf(value).value_or(0));
}

std::uint64_t Axis::valueIndex(double coordinate) const
{
    if (m_dimension->kind == DimensionKind::List)
        return m_ascending[listIndex(coordinate)];
    const auto last = static_cast<double>(sweep::DimensionValues(*m_dimension).size() - 1);
    const double index = isCategorical()
                             ? std::floor(coordinate)
                             : std::nearbyint((coordinate - m_dimension->low) / static_cast<double>(m_dimension->step));
    return static_cast<std::uint64_t>(std::clamp(index, 0.0, last));
}

double Axis::number(double coordinate) const
{
    return sweep::DimensionValues(*m_dimension).nearest(m_logarithmic ? std::exp(coordinate) : coordinate);
}

Axis::Cell Axis::cell(double coordinate) const
{
    if (m_dimension->kind == DimensionKind::List) {
        const std::size_t index = listIndex(coordinate);
        return {m_borders[index], m_borders[index + 1]};
    }
    const double half = 0.5 * static_cast<double>(m_dimension->step);
    return {coordinate - half, coordinate + half};
}

double Axis::toLine(double number) const
{
    return m_logarithmic ? std::log(number) : number;
}

std::size_t Axis::listIndex(double coordinate) const
{
    const auto above = std::upper_bound(m_borders.begin() + 1, m_borders.end() - 1, coordinate);
    return static_cast<std::size_t>(above - m_borders.begin()) - 1;
}

}  // namespace sweepscope::search
