#include "analysis/measuredmap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace sweepscope::analysis {

namespace {

constexpr std::size_t mostCellValues = 24;    ///< of a parameter without a list in the sweep file
constexpr std::size_t trialsOfCellValue = 2;  ///< that there are at least, in the mean
constexpr double trialsOfCell = 4;            ///< of trials that are spread evenly
constexpr int fewestStretches = 3;
constexpr int mostStretches = 16;

std::vector<double> cellValuesOf(const Parameter &parameter)
{
    const bool isList = !parameter.marks.empty();
    std::set<double> levels;
    std::size_t trials = 0;
    for (const double value : parameter.values) {
        if (!std::isfinite(value))
            continue;
        ++trials;
        levels.insert(value);
        if (!isList && levels.size() > mostCellValues)
            return {};
    }
    const bool areFew = isList || trials >= trialsOfCellValue * levels.size();
    return areFew ? std::vector<double>(levels.begin(), levels.end()) : std::vector<double>();
}

int cellOf(const Parameter &parameter, const MapAxis &axis, double value)
{
    if (!std::isfinite(value))
        return MapCell::unset;
    if (!axis.levels.empty())
        return static_cast<int>(std::ranges::lower_bound(axis.levels, value) - axis.levels.begin());
    if (!axis.isDivided)
        return static_cast<int>(value);
    const auto unit = [&parameter](double number) { return parameter.scale == Scale::Log ? std::log(number) : number; };
    const double width = unit(parameter.high) - unit(parameter.low);
    const double share = width > 0 ? (unit(value) - unit(parameter.low)) / width : 0;
    return std::clamp(static_cast<int>(share * axis.cells), 0, axis.cells - 1);
}

/// Sums until finish().
void add(MapCell &cell, const TrialValues &values, std::size_t row, int rank)
{
    if (!values.isCompleted(row)) {
        cell.bestTrial = cell.bestTrial == 0 ? values.trials[row] : cell.bestTrial;
        ++cell.others;
        return;
    }
    const double value = values.values[row];
    cell.mean += value;
    cell.meanRank += rank;
    if (cell.completed == 0 || values.isBetter(value, cell.best)) {
        cell.best = value;
        cell.bestTrial = values.trials[row];
    }
    ++cell.completed;
}

void finish(MapCell &cell)
{
    if (cell.completed == 0) {
        cell.mean = cell.best = cell.meanRank = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    cell.mean /= cell.completed;
    cell.meanRank /= cell.completed;
}

}  // namespace

MapAxis mapAxis(const TrialValues &values, std::size_t parameter)
{
    const Parameter &shown = values.parameters[parameter];
    MapAxis axis;
    axis.parameter = parameter;
    if (shown.scale == Scale::Categories) {
        axis.cells = static_cast<int>(shown.categories.size());
        return axis;
    }
    axis.levels = cellValuesOf(shown);
    axis.cells = static_cast<int>(axis.levels.size());
    if (!axis.levels.empty())
        return axis;
    axis.isDivided = true;
    const double wanted = std::sqrt(static_cast<double>(values.size()) / trialsOfCell);
    axis.cells = std::clamp(static_cast<int>(std::lround(wanted)), fewestStretches, mostStretches);
    return axis;
}

std::vector<int> ranksOf(const TrialValues &values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&values](std::size_t one, std::size_t other) {
        return values.isBetter(values.values[one], values.values[other]);
    });
    std::vector<int> ranks(values.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        const bool isEqual = place > 0 && values.values[order[place]] == values.values[order[place - 1]];
        ranks[order[place]] = isEqual ? ranks[order[place - 1]] : static_cast<int>(place) + 1;
    }
    return ranks;
}

MeasuredMap measuredMap(const TrialValues &values, std::size_t x, std::size_t y, const std::vector<int> &ranks,
                        const std::vector<char> &within)
{
    MeasuredMap map{mapAxis(values, x), mapAxis(values, y), {}};
    const Parameter &across = values.parameters[x];
    const Parameter &up = values.parameters[y];
    std::map<std::pair<int, int>, MapCell> cells;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (!within[row])
            continue;
        const int column = cellOf(across, map.x, across.values[row]);
        const int line = cellOf(up, map.y, up.values[row]);
        MapCell &cell = cells[{column, line}];
        cell.column = column;
        cell.row = line;
        add(cell, values, row, ranks[row]);
    }
    for (auto &[place, cell] : cells) {
        finish(cell);
        map.cells.push_back(cell);
    }
    return map;
}

}  // namespace sweepscope::analysis
