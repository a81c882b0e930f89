#include "search/axis.h"

#include "sweep/dimensionvalues.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sweepscope::search {

using sweep::DimensionKind;
using sweep::numberOf;
using sweep::ParameterValue;

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
    case DimensionKind::Normal:
    case DimensionKind::LogNormal:  // the line is the quantile: [0, 1]
        break;
    case DimensionKind::Integer:
    case DimensionKind::Stepped: {
        const sweep::DimensionValues values(dimension);
        m_step = dimension.kind == DimensionKind::Integer ? static_cast<double>(dimension.step) : dimension.spacing;
        m_low = dimension.low - 0.5 * m_step;
        m_high = dimension.low + (static_cast<double>(values.size()) - 0.5) * m_step;
        break;
    }
    case DimensionKind::LogInteger:
        m_logarithmic = true;
        if (dimension.points > 0) {  // evenly spaced on the line
            m_ascending.resize(static_cast<std::size_t>(dimension.points));
            std::iota(m_ascending.begin(), m_ascending.end(), std::size_t{0});
            m_low = -0.5;
            m_high = static_cast<double>(m_ascending.size()) - 0.5;
            break;
        }
        m_hasAllIntegers = true;
        m_low = toLine(dimension.low - 0.5);
        m_high = toLine(dimension.high + 0.5);
        break;
    case DimensionKind::List: {
        m_ascending.resize(dimension.values.size());
        std::iota(m_ascending.begin(), m_ascending.end(), std::size_t{0});
        std::ranges::sort(m_ascending, {},
                          [&](std::size_t place) { return numberOf(dimension.values[place]).value_or(0); });
        m_low = -0.5;
        m_high = static_cast<double>(m_ascending.size()) - 0.5;
        break;
    }
    }
}

double Axis::atUnit(double unit) const
{
    return isCategorical() ? std::floor(unit * static_cast<double>(categoryCount())) : m_low + unit * (m_high - m_low);
}

std::optional<double> Axis::coordinate(const ParameterValue &value) const
{
    const sweep::DimensionValues values(*m_dimension);
    if (!values.contains(value))
        return std::nullopt;
    if (isCategorical())
        return static_cast<double>(*values.indexOf(value));
    if (!isRow())
        return toLine(numberOf(value).value_or(0));
    const auto place = std::ranges::find(m_ascending, static_cast<std::size_t>(*values.indexOf(value)));
    return static_cast<double>(place - m_ascending.begin());
}

std::uint64_t Axis::valueIndex(double coordinate) const
{
    if (isRow())
        return m_ascending[static_cast<std::size_t>(
            std::clamp(std::nearbyint(coordinate), 0.0, static_cast<double>(m_ascending.size() - 1)))];
    const auto last = static_cast<double>(sweep::DimensionValues(*m_dimension).size() - 1);
    const double number = m_logarithmic ? std::exp(coordinate) : coordinate;
    const double index =
        isCategorical() ? std::floor(coordinate) : std::nearbyint((number - m_dimension->low) / m_step);
    return static_cast<std::uint64_t>(std::clamp(index, 0.0, last));
}

double Axis::number(double coordinate) const
{
    const sweep::DimensionValues values(*m_dimension);
    if (isNormal(m_dimension->kind))
        return values.sample(coordinate);
    return values.nearest(m_logarithmic ? std::exp(coordinate) : coordinate);
}

Axis::Cell Axis::cell(double coordinate) const
{
    if (isRow())
        return {coordinate - 0.5, coordinate + 0.5};
    if (m_hasAllIntegers) {
        const double number = std::nearbyint(std::exp(coordinate));
        return {toLine(number - 0.5), toLine(number + 0.5)};
    }
    return {coordinate - 0.5 * m_step, coordinate + 0.5 * m_step};
}

double Axis::toLine(double number) const
{
    if (isNormal(m_dimension->kind))
        return sweep::DimensionValues(*m_dimension).unitOf(number);
    return m_logarithmic ? std::log(number) : number;
}

}  // namespace sweepscope::search
