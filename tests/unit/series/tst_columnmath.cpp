#include "series/columnmath.h"

#include "seriestesting.h"

using namespace seriestesting;

namespace {

Series curve(const std::vector<double> &values, std::int64_t firstStep = 0)
{
    Series series("x", "");
    for (const double value : values) {
        const std::int64_t step = firstStep + static_cast<std::int64_t>(series.size());
        series.append({step, step, value});
    }
    return series;
}

constexpr ColumnGrid grid{0, 10, 10};

CurveColumns onGrid(const Series &series, double until = infinity)
{
    return {series.columns(XAxis::Step, grid.from, grid.to, grid.columns), until};
}

}  // namespace

TEST_CASE("if columns are samples, smoothing equals TensorBoard's")
{
    std::mt19937_64 random(3);
    std::vector<double> values;
    for (int i = 0; i < 200; ++i)
        values.push_back(i == 50 ? std::nan("") : std::normal_distribution<double>(5, 2)(random));
    const auto columns = smoothed(curve(values).columns(XAxis::Step, 0, 199, 200), 0.6);
    REQUIRE(columns.size() == 200);
    double last = 0;
    double taken = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) {
            CHECK(std::isnan(columns[i].last));
            continue;
        }
        // vz_line_chart: last = last * w + (1 - w) * next, divided by 1 - w^n.
        last = last * 0.6 + 0.4 * values[i];
        ++taken;
        CHECK(columns[i].last == doctest::Approx(last / (1 - std::pow(0.6, taken))));
    }
}

TEST_CASE("a constant is unchanged, weight 0 is the mean, and each segment starts anew")
{
    for (const Column &column : smoothed(curve(std::vector<double>(50, 7.0)).columns(XAxis::Step, 0, 49, 50), 0.99))
        CHECK(column.last == doctest::Approx(7.0));
    const auto two = smoothed(curve({1, 3}).columns(XAxis::Step, 0, 1, 1), 0);
    REQUIRE(two.size() == 1);
    CHECK(two[0].last == 2);

    Series resumed("x", "");
    for (const std::int64_t step : {0, 1, 2, 1, 2})
        resumed.append({step, 0, resumed.size() < 3 ? 0.0 : 100.0});
    const auto columns = smoothed(resumed.columns(XAxis::Step, 0, 2, 100), 0.9);
    REQUIRE(columns.size() == 5);
    CHECK(columns[3].last == 100);
}

TEST_CASE("the context of smoothing covers all samples with noticeable weight")
{
    CHECK(smoothingContext(0, 1000) == 0);
    CHECK(std::pow(0.9, smoothingContext(0.9, 1000)) <= 0.05);
    CHECK(smoothingContext(0.999, 1000) == 1000);
}

TEST_CASE("mean, extremes and quartiles are over curves, column by column")
{
    const std::vector<CurveColumns> curves{onGrid(curve(std::vector<double>(10, 1.0))),
                                           onGrid(curve(std::vector<double>(10, 2.0))),
                                           onGrid(curve(std::vector<double>(10, 9.0)))};
    const Aggregate extremes = aggregate(curves, grid, Spread::Extremes);
    REQUIRE(extremes.center.size() == 10);
    REQUIRE(extremes.band.size() == 10);
    CHECK(extremes.center[4].last == doctest::Approx(4));
    CHECK(extremes.band[4].min == 1);
    CHECK(extremes.band[4].max == 9);
    const Aggregate quartiles = aggregate(curves, grid, Spread::Quartiles);
    CHECK(quartiles.center[4].last == 2);
    CHECK(quartiles.band[4].min == 1.5);
    CHECK(quartiles.band[4].max == 5.5);
}

TEST_CASE("a spike of one rank is within the band of extremes")
{
    std::vector<double> spiky(1000, 1.0);
    spiky[555] = 50;
    const Series one = curve(spiky);
    const Series other = curve(std::vector<double>(1000, 1.0));
    const ColumnGrid wide{0, 999, 10};
    const std::vector<CurveColumns> curves{{one.columns(XAxis::Step, 0, 999, 10), infinity},
                                           {other.columns(XAxis::Step, 0, 999, 10), infinity}};
    const Aggregate result = aggregate(curves, wide, Spread::Extremes);
    REQUIRE(result.band.size() == 10);
    CHECK(result.band[5].max == 50);
}

TEST_CASE("a value holds until the next one, and the last one until the curve expires")
{
    const Series all = curve(std::vector<double>(11, 0.0));
    Series rare("x", "");
    rare.append({0, 0, 10});
    rare.append({6, 6, 20});
    Aggregate result = aggregate(std::vector{onGrid(all), onGrid(rare)}, grid, Spread::Extremes);
    REQUIRE(result.center.size() == 10);
    CHECK(result.center[5].last == 5);
    CHECK(result.center[9].last == 10);
    result = aggregate(std::vector{onGrid(all), onGrid(rare, 6)}, grid, Spread::Extremes);
    CHECK(result.center[6].last == 10);
    CHECK(result.center[9].last == 0);
}

TEST_CASE("no curves, or only curves of NaN, give no number and do not crash")
{
    CHECK(aggregate({}, grid, Spread::Extremes).center.empty());
    const Aggregate result =
        aggregate(std::vector{onGrid(curve(std::vector<double>(10, std::nan(""))))}, grid, Spread::Quartiles);
    REQUIRE(result.center.size() == 10);
    CHECK(std::isnan(result.center[3].last));
    CHECK(result.center[3].hasNonFinite);
}
