#pragma once

#include "search/axis.h"
#include "search/parzen.h"
#include "sweep/searchspace.h"

#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// Makes points of a space parameter by parameter, as conditions require.
class PointBuilder {
public:
    PointBuilder(const sweep::SweepSpec &spec, const sweep::SearchSpace &space);

    struct Point {
        sweep::ParameterSet parameters;
        Coordinates coordinates;  ///< of `parameters`, after rounding
    };

    /// `coordinateOf` gives the category number or coordinate of each parameter whose condition holds, in declared order.
    /// nullopt if a constraint forbids the point.
    std::optional<Point> build(const std::function<double(std::size_t parameter)> &coordinateOf) const;
    /// The same from numbers in [0, 1), spread evenly over the values of each parameter.
    std::optional<Point> fromUnits(const std::vector<double> &units) const;

    /// The coordinates of a point that was tried, NaN for what it lacks; nullopt if it no longer fits the space.
    std::optional<Coordinates> coordinatesOf(const sweep::ParameterSet &parameters) const;

    const std::vector<Axis> &axes() const { return m_axes; }

private:
    const sweep::SweepSpec *m_spec;
    const sweep::SearchSpace *m_space;
    std::vector<Axis> m_axes;
};

}  // namespace sweepscope::search
