#pragma once

#include "search/axis.h"
#include "search/parzen.h"
#include "sweep/searchspace.h"

#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// Maximum draws for one point: a constraint may forbid most of them.
constexpr int mostDraws = 200;

/// Builds points of a space parameter by parameter, observing conditions.
class PointBuilder {
public:
    /// All arguments must outlive the builder.
    PointBuilder(const sweep::SweepSpec &spec, const sweep::SearchSpace &space, const std::vector<Axis> &axes);

    struct Point {
        sweep::ParameterSet parameters;
        Coordinates coordinates;  ///< of `parameters`, after rounding
    };

    /// `coordinateOf` gives the category number or coordinate of each parameter whose condition holds, in declared order.
    /// nullopt if a constraint forbids the point.
    std::optional<Point> build(const std::function<double(std::size_t parameter)> &coordinateOf) const;
    /// The same from numbers in [0, 1), spread evenly over the values of each parameter.
    std::optional<Point> fromUnits(const std::vector<double> &units) const;

private:
    const sweep::SweepSpec *m_spec;
    const sweep::SearchSpace *m_space;
    const std::vector<Axis> *m_axes;
};

}  // namespace sweepscope::search
