#include "analysis/contourlines.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace sweepscope::analysis;

namespace {

std::vector<double> grid(std::size_t columns, std::size_t rows, double (*function)(double x, double y))
{
    std::vector<double> values;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column)
            values.push_back(function(static_cast<double>(column), static_cast<double>(row)));
    }
    return values;
}

}  // namespace

TEST_CASE("slopeHasOneLineAcross")
{
    const auto lines = contourLines(5, 4, grid(5, 4, [](double x, double) { return x; }), 1.5);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].size() == 4);
    for (const GridPlace &place : lines[0])
        CHECK(place.column == doctest::Approx(1.5));
    CHECK(std::abs(lines[0].front().row - lines[0].back().row) == doctest::Approx(3));
    CHECK(contourLines(5, 4, grid(5, 4, [](double x, double) { return x; }), 7).empty());
}

TEST_CASE("bowlHasAClosedLine")
{
    const auto lines =
        contourLines(21, 21, grid(21, 21, [](double x, double y) { return std::hypot(x - 10, y - 10); }), 6);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].front().column == doctest::Approx(lines[0].back().column));
    CHECK(lines[0].front().row == doctest::Approx(lines[0].back().row));
    CHECK(lines[0].size() > 20);
    for (const GridPlace &place : lines[0])
        CHECK(std::hypot(place.column - 10, place.row - 10) == doctest::Approx(6).epsilon(0.01));
}

TEST_CASE("saddleHasTwoLines")
{
    CHECK(contourLines(2, 2, {0, 1, 1, 0}, 0.5).size() == 2);
    CHECK(contourLines(7, 7, grid(7, 7, [](double x, double y) { return (x - 3) * (y - 3); }), 0.5).size() == 2);
}

TEST_CASE("noLinesAroundMissingValues")
{
    std::vector<double> values = grid(5, 5, [](double x, double) { return x; });
    values[12] = std::numeric_limits<double>::quiet_NaN();
    const auto lines = contourLines(5, 5, values, 1.5);
    CHECK(lines.size() == 2);  // above and below
    CHECK(contourLines(0, 0, {}, 1).empty());
    CHECK(contourLines(1, 3, {0, 1, 2}, 1).empty());
}
