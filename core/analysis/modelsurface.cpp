#include "analysis/modelsurface.h"

#include "sweep/dimensionvalues.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::analysis {

namespace {

constexpr std::size_t lineSteps = 60;
constexpr std::size_t mostCells = 60;

bool hasCells(const search::Axis &axis)
{
    return axis.isCategorical() || axis.isRow();
}

sweep::ParameterValue cellValue(const Surrogate &surrogate, std::size_t parameter, std::size_t cell)
{
    const search::Axis &axis = surrogate.axes()[parameter];
    const std::uint64_t index = axis.isRow() ? axis.valueIndex(static_cast<double>(cell)) : cell;
    return sweep::DimensionValues(surrogate.spec().space[parameter]).at(index);
}

std::size_t cellCount(const Surrogate &surrogate, std::size_t parameter)
{
    return sweep::DimensionValues(surrogate.spec().space[parameter]).size();
}

/// Whether the model's prediction depends on the parameter.
bool varies(const Surrogate &surrogate, std::size_t parameter)
{
    const bool isSingle = hasCells(surrogate.axes()[parameter]) && cellCount(surrogate, parameter) < 2;
    return !isSingle && search::SearchHistory::isModelled(surrogate.spec().space[parameter]);
}

SurfaceAxis axisOf(const Surrogate &surrogate, std::size_t index)
{
    const sweep::Dimension &dimension = surrogate.spec().space[index];
    SurfaceAxis axis;
    Parameter &parameter = axis.parameter;
    parameter.name = dimension.name;
    if (hasCells(surrogate.axes()[index])) {
        parameter.scale = Scale::Categories;
        const std::size_t count = cellCount(surrogate, index);
        for (std::size_t cell = 0; cell < count; ++cell) {
            parameter.categories.push_back(sweep::toText(cellValue(surrogate, index, cell)));
            axis.places.push_back(static_cast<double>(cell));
        }
        parameter.high = static_cast<double>(count - 1);
        return axis;
    }
    parameter.scale = sweep::isLogarithmic(dimension.kind) ? Scale::Log : Scale::Linear;
    parameter.isWhole = sweep::isWhole(dimension.kind);
    parameter.low = dimension.low;
    parameter.high = dimension.high;
    for (std::size_t step = 0; step < lineSteps; ++step) {
        const double share = static_cast<double>(step) / (lineSteps - 1);
        axis.places.push_back(parameter.scale == Scale::Log
                                  ? parameter.low * std::pow(parameter.high / parameter.low, share)
                                  : parameter.low + share * (parameter.high - parameter.low));
    }
    return axis;
}

/// Where on the axis the trial is; nullopt if it lacks the parameter or has a value outside the space.
std::optional<double> placeOf(const Surrogate &surrogate, std::size_t parameter, const sweep::ParameterSet &point)
{
    const search::Axis &axis = surrogate.axes()[parameter];
    const sweep::ParameterValue *value = sweep::find(point, surrogate.spec().space[parameter].name);
    const std::optional<double> coordinate = value != nullptr ? axis.coordinate(*value) : std::nullopt;
    return coordinate && !hasCells(axis) ? sweep::numberOf(*value) : coordinate;
}

std::vector<SurfacePoint> pointsOn(const Surrogate &surrogate, std::size_t x, std::size_t y)
{
    std::vector<SurfacePoint> points;
    for (const search::Observation &trial : surrogate.trials()) {
        const auto xPlace = placeOf(surrogate, x, trial.parameters);
        const auto yPlace = placeOf(surrogate, y, trial.parameters);
        if (xPlace && yPlace)
            points.push_back({trial.number, *xPlace, *yPlace, trial.outcome == search::Outcome::Pending});
    }
    return points;
}

std::optional<std::size_t> indexOf(const Surrogate &surrogate, const std::string &name)
{
    const std::vector<std::string> names = surfaceParameters(surrogate);
    if (std::ranges::find(names, name) == names.end())
        return std::nullopt;
    const auto found = std::ranges::find(surrogate.spec().space, name, &sweep::Dimension::name);
    return static_cast<std::size_t>(found - surrogate.spec().space.begin());
}

/// The best trial's coordinates; the middle of what it lacks, which applies only for some values on the axes.
search::Coordinates startOf(const Surrogate &surrogate)
{
    search::Coordinates coordinates;
    for (std::size_t i = 0; i < surrogate.axes().size(); ++i) {
        const search::Axis &axis = surrogate.axes()[i];
        const sweep::ParameterValue *value = sweep::find(surrogate.best().parameters, surrogate.spec().space[i].name);
        const std::optional<double> known = value != nullptr ? axis.coordinate(*value) : std::nullopt;
        coordinates.push_back(known ? *known : axis.isCategorical() ? 0 : (axis.low() + axis.high()) / 2);
    }
    return coordinates;
}

/// Predicts the values at all places of the axes.
void predict(ModelSurface &surface, const Surrogate &surrogate, std::size_t x, std::size_t y)
{
    const search::Coordinates start = startOf(surrogate);
    const std::size_t count = surface.x.places.size() * surface.y.places.size();
    surface.values.assign(count, std::numeric_limits<double>::quiet_NaN());
    surface.deviations = surface.values;
    std::vector<search::Coordinates> points;
    std::vector<std::size_t> indexes;
    const auto coordinateAt = [&surrogate](std::size_t parameter, double place) {
        const search::Axis &axis = surrogate.axes()[parameter];
        return hasCells(axis) ? place : axis.toLine(place);
    };
    for (std::size_t row = 0; row < surface.y.places.size(); ++row) {
        for (std::size_t column = 0; column < surface.x.places.size(); ++column) {
            auto point = surrogate.builder().build([&](std::size_t parameter) {
                return parameter == x   ? coordinateAt(x, surface.x.places[column])
                       : parameter == y ? coordinateAt(y, surface.y.places[row])
                                        : start[parameter];
            });
            if (!point)
                continue;
            points.push_back(std::move(point->coordinates));
            indexes.push_back(surface.indexOf(column, row));
        }
    }
    const std::vector<Surrogate::Prediction> predictions = surrogate.predict(points);
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        surface.values[indexes[i]] = predictions[i].value;
        surface.deviations[indexes[i]] = predictions[i].deviation;
    }
}

}  // namespace

std::vector<std::string> surfaceParameters(const Surrogate &surrogate)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < surrogate.axes().size(); ++i) {
        const bool fits = !hasCells(surrogate.axes()[i]) || cellCount(surrogate, i) <= mostCells;
        if (fits && varies(surrogate, i) && placeOf(surrogate, i, surrogate.best().parameters))
            names.push_back(surrogate.spec().space[i].name);
    }
    return names;
}

std::optional<ModelSurface> modelSurface(const Surrogate &surrogate, const std::string &x, const std::string &y)
{
    const std::optional<std::size_t> xIndex = indexOf(surrogate, x);
    const std::optional<std::size_t> yIndex = indexOf(surrogate, y);
    if (!xIndex || !yIndex || xIndex == yIndex)
        return std::nullopt;
    ModelSurface surface;
    surface.x = axisOf(surrogate, *xIndex);
    surface.y = axisOf(surrogate, *yIndex);
    surface.points = pointsOn(surrogate, *xIndex, *yIndex);
    surface.bestTrial = surrogate.best().number;
    for (std::size_t i = 0; i < surrogate.axes().size(); ++i) {
        const std::string &name = surrogate.spec().space[i].name;
        const sweep::ParameterValue *value = sweep::find(surrogate.best().parameters, name);
        if (value != nullptr && i != xIndex && i != yIndex && varies(surrogate, i))
            surface.others.emplace_back(name, *value);
    }
    predict(surface, surrogate, *xIndex, *yIndex);
    return surface;
}

}  // namespace sweepscope::analysis
