#pragma once

#include "sweep/sweepspec.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// How a model sees one parameter: as a category, or as a coordinate on a line.
///
/// A range is a line, logarithmic where the parameter is; a normal distribution is one of its quantiles. What has discrete
/// values (integers, steps, a list of numbers) is a row of cells, one around each value. Those of a list are in ascending
/// order and equally wide, whatever the values are: people write lists whose steps matter about equally.
class Axis {
public:
    /// The dimension must be valid and outlive the axis.
    explicit Axis(const sweep::Dimension &dimension);

    bool isCategorical() const { return m_dimension->kind == sweep::DimensionKind::Choice; }
    /// Of a categorical parameter.
    std::size_t categoryCount() const { return m_dimension->values.size(); }
    /// Whether the line consists of cells.
    bool isDiscrete() const { return !isCategorical() && !isContinuous(); }
    bool isContinuous() const { return sweep::isContinuous(m_dimension->kind); }
    /// Whether the cells of a discrete line are equally wide. All integers of a logarithmic line have cells that narrow.
    bool hasEqualCells() const { return !m_hasAllIntegers; }
    /// Ends of the line, outer borders of the first and last cell.
    double low() const { return m_low; }
    double high() const { return m_high; }
    /// Returns a category number, or a coordinate, from a number in [0, 1).
    double atUnit(double unit) const;

    /// Returns the category number or coordinate of a value; nullopt if the parameter cannot have this value.
    std::optional<double> coordinate(const sweep::ParameterValue &value) const;
    /// Of a range that is not a row of values: returns the coordinate of any number in it.
    double toLine(double number) const;
    /// For a category or a discrete line: returns the value whose cell contains `coordinate`, as numbered by
    /// DimensionValues.
    std::uint64_t valueIndex(double coordinate) const;
    /// For a continuous line: returns the value there. Coordinates outside are clamped to the ends, here and above.
    double number(double coordinate) const;

    struct Cell {
        double low;
        double high;
    };
    /// The cell around the coordinate of a value of a discrete axis.
    Cell cell(double coordinate) const;

    /// Whether the line is a row of listed values, whose coordinates are 0, 1, 2, … in ascending order.
    bool isRow() const { return !m_ascending.empty(); }

private:
    const sweep::Dimension *m_dimension;
    bool m_logarithmic = false;
    bool m_hasAllIntegers = false;  ///< of a logarithmic line
    double m_step = 1;              ///< between the values of a range
    double m_low = 0;
    double m_high = 1;
    std::vector<std::size_t> m_ascending;  ///< of a list: numbers of its values (DimensionValues) in ascending order
};

}  // namespace sweepscope::search
