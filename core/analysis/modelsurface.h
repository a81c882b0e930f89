#pragma once

#include "analysis/surrogate.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::analysis {

/// A parameter of a surface. Lists and categories are rows of cells (Scale::Categories), in ascending or declared order;
/// ranges are lines.
struct SurfaceAxis {
    Parameter parameter;         ///< without `values`
    std::vector<double> places;  ///< of the columns or rows: values, evenly spaced on the line; indexes of cells
};

/// A trial on a surface.
struct SurfacePoint {
    int trial = 0;
    double x = 0;  ///< value of the parameter, or index of the cell
    double y = 0;
    bool isPending = false;  ///< queued, running or paused
};

/// What a surrogate predicts over two parameters. All others have the values of the best trial, as far as conditions leave
/// them.
struct ModelSurface {
    SurfaceAxis x;
    SurfaceAxis y;
    std::vector<double> values;  ///< in the unit of the target, row after row; NaN where a constraint forbids the point
    std::vector<double> deviations;  ///< standard deviations of the values, likewise
    std::vector<SurfacePoint> points;
    int bestTrial = 0;
    sweep::ParameterSet others;  ///< parameters of the best trial that vary and are not on the axes

    std::size_t indexOf(std::size_t column, std::size_t row) const { return row * x.places.size() + column; }
};

/// The parameters that a surface can have: those of the best trial that vary, with at most 60 cells.
std::vector<std::string> surfaceParameters(const Surrogate &surrogate);

/// nullopt unless both names are among surfaceParameters(), and differ. Takes about a tenth of a second.
std::optional<ModelSurface> modelSurface(const Surrogate &surrogate, const std::string &x, const std::string &y);

}  // namespace sweepscope::analysis
