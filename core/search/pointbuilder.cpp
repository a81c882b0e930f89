#include "search/pointbuilder.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::search {

PointBuilder::PointBuilder(const sweep::SweepSpec &spec, const sweep::SearchSpace &space, const std::vector<Axis> &axes)
    : m_spec(&spec), m_space(&space), m_axes(&axes)
{}

std::optional<PointBuilder::Point>
PointBuilder::build(const std::function<double(std::size_t parameter)> &coordinateOf) const
{
    Point point;
    point.coordinates.assign(m_axes->size(), inactive);
    std::vector<double> slots = m_space->initialSlots();
    for (std::size_t i = 0; i < m_axes->size(); ++i) {
        if (!m_space->isActive(i, slots)) {
            m_space->switchOff(i, slots);
            continue;
        }
        const Axis &axis = (*m_axes)[i];
        const double coordinate = coordinateOf(i);
        if (axis.isContinuous()) {
            slots[i] = axis.number(coordinate);
            point.parameters.emplace_back(m_spec->space[i].name, slots[i]);
        } else {
            const std::uint64_t index = axis.valueIndex(coordinate);
            slots[i] = m_space->numberAt(i, index);
            point.parameters.emplace_back(m_spec->space[i].name, m_space->values(i).at(index));
        }
        point.coordinates[i] = axis.coordinate(point.parameters.back().second).value_or(coordinate);
    }
    if (!m_space->allowsAll(slots))
        return std::nullopt;
    return point;
}

std::optional<PointBuilder::Point> PointBuilder::fromUnits(const std::vector<double> &units) const
{
    return build([&](std::size_t parameter) {
        const Axis &axis = (*m_axes)[parameter];
        if (axis.isContinuous())
            return axis.low() + units[parameter] * (axis.high() - axis.low());
        // Evenly over the values, however far apart they are.
        const sweep::DimensionValues &values = m_space->values(parameter);
        return axis.coordinate(values.at(values.indexAt(units[parameter]))).value_or(0);
    });
}

}  // namespace sweepscope::search
