#include "series/columnmath.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sweepscope::series {

namespace {

Column flat(double x, double value)
{
    Column column;
    column.x = x;
    column.first = column.min = column.max = column.last = column.mean = value;
    column.count = 1;
    return column;
}

/// Of ascending values, which are not none.
double quantile(std::span<const double> sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

/// The columns of one curve, one for each cell of the grid at most: 0 for what is left of it, then the grid's, and one
/// for what is right of it.
class Cells {
public:
    Cells(const CurveColumns &curve, const ColumnGrid &grid)
        : m_cells(static_cast<std::size_t>(grid.columns) + 2), m_until(curve.until)
    {
        for (const Column &column : curve.columns)
            m_cells[cellOf(column.x, grid)] = &column;
    }

    const Column *at(std::size_t cell) const { return m_cells[cell]; }
    /// What counts in this cell, whose columns lie at `x`; null: nothing. To be asked cell by cell.
    const Column *valueAt(std::size_t cell, double x)
    {
        if (m_cells[cell])
            m_held = m_cells[cell];
        return m_held && (m_held == m_cells[cell] || x <= m_until) && m_held->hasFinite() ? m_held : nullptr;
    }

private:
    static std::size_t cellOf(double x, const ColumnGrid &grid)
    {
        if (x < grid.from)
            return 0;
        if (x > grid.to)
            return static_cast<std::size_t>(grid.columns) + 1;
        return static_cast<std::size_t>(columnAt(x, grid.from, grid.to, grid.columns)) + 1;
    }

    std::vector<const Column *> m_cells;
    double m_until;
    const Column *m_held = nullptr;
};

/// What the curves say in one cell.
struct Cell {
    std::vector<double> values;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();

    void add(const Column &column, bool held)
    {
        values.push_back(held ? column.last : column.mean);
        lowest = std::min(lowest, held ? column.last : column.min);
        highest = std::max(highest, held ? column.last : column.max);
    }

    void appendTo(Aggregate &aggregate, double x, Spread spread, bool hasNonFinite)
    {
        double center = 0;
        if (spread == Spread::Quartiles) {
            std::sort(values.begin(), values.end());
            center = quantile(values, 0.5);
            lowest = quantile(values, 0.25);
            highest = quantile(values, 0.75);
        } else {
            for (const double value : values)
                center += value / static_cast<double>(values.size());
        }
        aggregate.center.push_back(flat(x, center));
        aggregate.center.back().hasNonFinite = hasNonFinite;
        Column edges = flat(x, center);
        edges.min = lowest;
        edges.max = highest;
        edges.count = values.size();
        aggregate.band.push_back(edges);
    }
};

}  // namespace

std::vector<Column> smoothed(const std::vector<Column> &columns, double weight)
{
    std::vector<Column> result;
    result.reserve(columns.size());
    double sum = 0;
    double weightSum = 0;
    for (const Column &column : columns) {
        if (column.startsSegment)
            sum = weightSum = 0;
        result.push_back(column);
        if (!column.hasFinite())
            continue;
        sum = sum * weight + column.mean * (1 - weight);
        weightSum = weightSum * weight + (1 - weight);
        const double value = weightSum > 0 ? sum / weightSum : column.mean;
        Column &smooth = result.back();
        smooth.first = smooth.min = smooth.max = smooth.last = smooth.mean = value;
    }
    return result;
}

int smoothingContext(double weight, int columns)
{
    // Columns farther back than this weigh a twentieth together.
    return weight <= 0 || weight >= 1 ? 0 : std::min(columns, static_cast<int>(std::ceil(-3 / std::log(weight))));
}

Aggregate aggregate(std::span<const CurveColumns> curves, const ColumnGrid &grid, Spread spread)
{
    Aggregate result;
    if (grid.columns <= 0 || !(grid.from <= grid.to))
        return result;
    std::vector<Cells> cells;
    for (const CurveColumns &curve : curves)
        cells.emplace_back(curve, grid);
    Cell cell;
    for (std::size_t index = 0; index < static_cast<std::size_t>(grid.columns) + 2; ++index) {
        double x = std::numeric_limits<double>::infinity();
        bool hasNonFinite = false;
        for (const Cells &curve : cells) {
            if (const Column *column = curve.at(index)) {
                x = std::min(x, column->x);
                hasNonFinite = hasNonFinite || column->hasNonFinite;
            }
        }
        if (std::isinf(x))
            continue;
        cell.values.clear();
        cell.lowest = std::numeric_limits<double>::infinity();
        cell.highest = -cell.lowest;
        for (Cells &curve : cells) {
            if (const Column *column = curve.valueAt(index, x))
                cell.add(*column, column != curve.at(index));
        }
        if (!cell.values.empty()) {
            cell.appendTo(result, x, spread, hasNonFinite);
        } else {
            Column nothing = flat(x, std::numeric_limits<double>::quiet_NaN());
            nothing.hasNonFinite = hasNonFinite;
            result.center.push_back(nothing);
            result.band.push_back(nothing);
        }
    }
    return result;
}

}  // namespace sweepscope::series
