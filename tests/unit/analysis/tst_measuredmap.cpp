#include "analysis/measuredmap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::analysis;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

Parameter parameter(const char *name, Scale scale, double low, double high, std::vector<double> values)
{
    Parameter made;
    made.name = name;
    made.scale = scale;
    made.low = low;
    made.high = high;
    made.values = std::move(values);
    return made;
}

TrialValues trialsOf(std::vector<double> results)
{
    TrialValues values;
    values.values = std::move(results);
    for (std::size_t row = 0; row < values.values.size(); ++row) {
        values.trials.push_back(static_cast<int>(row) + 1);
        values.states.push_back(sweep::TrialState::Completed);
        values.standings.push_back(Standing::MayBeBest);
        values.ended.push_back(static_cast<WallNs>(row));
    }
    return values;
}

MeasuredMap mapOf(const TrialValues &values)
{
    return measuredMap(values, 0, 1, ranksOf(values), std::vector<char>(values.size(), 1));
}

const MapCell *cellAt(const MeasuredMap &map, int column, int row)
{
    const auto found =
        std::ranges::find_if(map.cells, [&](const MapCell &cell) { return cell.column == column && cell.row == row; });
    return found == map.cells.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("gridHasACellForEachPairOfValues")
{
    TrialValues values = trialsOf({1, 2, 3, 4, 5, 7});
    values.parameters = {parameter("lr", Scale::Log, 0.01, 1, {0.01, 0.01, 0.1, 0.1, 1, 1}),
                         parameter("opt", Scale::Categories, 0, 1, {0, 1, 0, 1, 1, 1})};
    values.parameters[0].marks = {0.01, 0.1, 1};
    values.parameters[1].categories = {"adam", "sgd"};
    const MeasuredMap map = mapOf(values);
    CHECK(map.x.levels == std::vector<double>{0.01, 0.1, 1});
    CHECK(map.x.cells == 3);
    CHECK(map.y.cells == 2);
    CHECK_FALSE(map.x.isDivided);
    CHECK(map.cells.size() == 5);
    const MapCell *both = cellAt(map, 2, 1);
    REQUIRE(both);
    CHECK(both->completed == 2);
    CHECK(both->mean == 6);
    CHECK(both->best == 5);
    CHECK(both->bestTrial == 5);
    CHECK(both->meanRank == 5.5);
    CHECK_FALSE(cellAt(map, 2, 0));
}

TEST_CASE("rangesAreDividedOnTheirScale")
{
    std::vector<double> results;
    std::vector<double> rates;
    std::vector<double> shares;
    for (int i = 0; i < 64; ++i) {
        results.push_back(i);
        rates.push_back(std::pow(10.0, -4 + 4.0 * i / 63));
        shares.push_back(i / 63.0);
    }
    TrialValues values = trialsOf(results);
    values.parameters = {parameter("lr", Scale::Log, 1e-4, 1, rates), parameter("share", Scale::Linear, 0, 1, shares)};
    const MeasuredMap map = mapOf(values);
    CHECK(map.x.isDivided);
    CHECK(map.x.cells == 4);
    CHECK(map.cells.size() == 4);  // along the diagonal
    for (int i = 0; i < 4; ++i) {
        REQUIRE(cellAt(map, i, i));
        CHECK(cellAt(map, i, i)->completed == 16);
    }
}

TEST_CASE("trialsWithoutTheParameterHaveTheirOwnCells")
{
    TrialValues values = trialsOf({1, 2, 3, 4});
    values.parameters = {parameter("momentum", Scale::Linear, 0, 1, {missing, missing, 0.3, 0.9}),
                         parameter("opt", Scale::Categories, 0, 1, {0, 0, 1, 1})};
    values.parameters[1].categories = {"adam", "sgd"};
    const MeasuredMap map = mapOf(values);
    REQUIRE(cellAt(map, MapCell::unset, 0));
    CHECK(cellAt(map, MapCell::unset, 0)->mean == 1.5);
}

TEST_CASE("valuesOfPrunedTrialsEnterNoMean")
{
    TrialValues values = trialsOf({1, 100, 200, 3});
    values.parameters = {parameter("a", Scale::Linear, 1, 2, {1, 1, 2, 1}),
                         parameter("b", Scale::Linear, 1, 2, {1, 1, 1, 1})};
    values.parameters[0].marks = values.parameters[1].marks = {1, 2};
    values.states[1] = values.states[2] = sweep::TrialState::Pruned;
    const MeasuredMap map = mapOf(values);
    CHECK(cellAt(map, 0, 0)->mean == 2);
    CHECK(cellAt(map, 0, 0)->others == 1);
    CHECK(std::isnan(cellAt(map, 1, 0)->mean));
    CHECK(cellAt(map, 1, 0)->bestTrial == 3);
    // Nor do trials outside the ranges.
    const MeasuredMap part = measuredMap(values, 0, 1, ranksOf(values), {0, 1, 0, 1});
    CHECK(part.cells.size() == 1);
    CHECK(part.cells[0].mean == 3);
}

TEST_CASE("ranksDoNotDependOnTheSizeOfOutliers")
{
    TrialValues values = trialsOf({3, 1e9, 1, 3, 2});
    CHECK(ranksOf(values) == std::vector<int>{3, 5, 1, 3, 2});
    values.target.goal = sweep::Goal::Maximize;
    CHECK(ranksOf(values) == std::vector<int>{2, 1, 5, 2, 4});
}
