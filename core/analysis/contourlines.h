#pragma once

#include <cstddef>
#include <vector>

namespace sweepscope::analysis {

/// A place between the points of a grid: columns from the left and rows from the first.
struct GridPlace {
    double column = 0;
    double row = 0;
};

/// The lines along which a function on a grid has a level (marching squares: W. E. Lorensen, H. E. Cline, "Marching Cubes",
/// SIGGRAPH 1987, in two dimensions). `values`: row after row; around NaN there are no lines. A closed line ends where it begins.
std::vector<std::vector<GridPlace>> contourLines(std::size_t columns, std::size_t rows,
                                                 const std::vector<double> &values, double level);

}  // namespace sweepscope::analysis
