#include "series/series.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <map>
#include <random>

using namespace sweepscope::series;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The definition in series.h, sample by sample.
std::vector<Column> reference(const Series &series, XAxis axis, double xFrom, double xTo, int columns)
{
    std::map<int, std::vector<Sample>> buckets;
    for (std::size_t i = 0; i < series.size(); ++i) {
        const Sample sample = series.sample(i);
        const double x = series.xOf(axis, sample);
        if (x < xFrom || x > xTo)
            continue;
        const double position = std::floor((x - xFrom) / (xTo - xFrom) * columns);
        buckets[std::isnan(position) ? 0 : std::min(static_cast<int>(position), columns - 1)].push_back(sample);
    }
    std::vector<Column> result;
    for (const auto &[index, samples] : buckets) {
        Column column;
        column.x = series.xOf(axis, samples.front());
        column.count = samples.size();
        column.first = column.min = column.max = column.last = std::nan("");
        for (const Sample &sample : samples) {
            if (!std::isfinite(sample.value)) {
                column.hasNonFinite = true;
                continue;
            }
            if (std::isnan(column.first))
                column.first = column.min = column.max = sample.value;
            column.min = std::min(column.min, sample.value);
            column.max = std::max(column.max, sample.value);
            column.last = sample.value;
        }
        result.push_back(column);
    }
    return result;
}

bool sameNumber(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool sameColumns(const std::vector<Column> &a, const std::vector<Column> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Column &x, const Column &y) {
        return sameNumber(x.x, y.x) && sameNumber(x.first, y.first) && sameNumber(x.min, y.min)
               && sameNumber(x.max, y.max) && sameNumber(x.last, y.last) && x.count == y.count
               && x.hasNonFinite == y.hasNonFinite;
    });
}

Series ramp(std::int64_t count)
{
    Series series("x", "");
    for (std::int64_t i = 0; i < count; ++i)
        series.append({i, i * 1'000'000'000, static_cast<double>(i)});
    return series;
}

}  // namespace

TEST_CASE("an empty curve, an empty range, no columns and a reversed range have no columns")
{
    CHECK(Series("x", "").columns(XAxis::Step, 0, 10, 5).empty());
    const Series series = ramp(10);
    CHECK(series.columns(XAxis::Step, 20, 30, 5).empty());
    CHECK(series.columns(XAxis::Step, 0, 10, 0).empty());
    CHECK(series.columns(XAxis::Step, 10, 0, 5).empty());
    CHECK(series.columns(XAxis::Step, std::nan(""), 5, 5).empty());
    CHECK(series.columns(XAxis::Step, 0, std::nan(""), 5).empty());
}

TEST_CASE("a range of one x is one column")
{
    const auto columns = ramp(10).columns(XAxis::Step, 4, 4, 100);
    REQUIRE(columns.size() == 1);
    CHECK(columns[0].count == 1);
    CHECK(columns[0].first == 4);
}

TEST_CASE("both ends of the range belong to it, and an infinite end is the curve's own")
{
    const Series series = ramp(101);
    const auto columns = series.columns(XAxis::Step, 0, 100, 10);
    REQUIRE(columns.size() == 10);
    CHECK(columns.front().x == 0);
    CHECK(columns.back().count == 11);
    CHECK(columns.back().last == 100);
    CHECK(sameColumns(series.columns(XAxis::Step, -infinity, infinity, 10), columns));
}

TEST_CASE("wall time is in seconds")
{
    const auto columns = ramp(100).columns(XAxis::WallTime, 10, 19, 3);
    REQUIRE(columns.size() == 3);
    CHECK(columns[0].x == 10);
    CHECK(columns[2].last == 19);
}

TEST_CASE("any range of any ascending curve has the columns that the definition says")
{
    std::mt19937_64 random(11);
    for (int round = 0; round < 60; ++round) {
        const auto size = std::uniform_int_distribution<int>(1, round < 40 ? 700 : 20'000)(random);
        Series series("x", "");
        std::int64_t step = std::uniform_int_distribution<std::int64_t>(-1000, 1'000'000'000'000)(random);
        std::int64_t time = 1'700'000'000'000'000'000;
        const std::int64_t first = step;
        for (int i = 0; i < size; ++i) {
            const auto kind = random() % 40;
            const double value = kind == 0   ? std::nan("")
                                 : kind == 1 ? infinity
                                 : kind == 2 ? -infinity
                                             : std::normal_distribution<double>(0, 100)(random);
            series.append({step, time, round % 5 == 0 && i % 300 < 200 ? std::nan("") : value});
            step += static_cast<std::int64_t>(random() % 4);
            time += static_cast<std::int64_t>(random() % 3'000'000'000);
        }
        for (int query = 0; query < 20; ++query) {
            const XAxis axis = query % 2 == 0 ? XAxis::Step : XAxis::WallTime;
            const double low = axis == XAxis::Step ? static_cast<double>(first) : 1.7e9;
            const double high = series.xOf(axis, series.back());
            std::uniform_real_distribution<double> place(low - 0.2 * (high - low) - 1, high + 0.2 * (high - low) + 1);
            double from = place(random);
            double to = place(random);
            if (from > to)
                std::swap(from, to);
            const int columns = std::uniform_int_distribution<int>(1, 3000)(random);
            REQUIRE(sameColumns(series.columns(axis, from, to, columns), reference(series, axis, from, to, columns)));
        }
    }
}

TEST_CASE("a spike of one sample in a million is seen at every zoom")
{
    constexpr std::int64_t size = 1'000'000;
    constexpr std::int64_t spike = 654'321;
    Series series("x", "");
    for (std::int64_t i = 0; i < size; ++i)
        series.append({i, i, i == spike ? 1e9 : std::sin(static_cast<double>(i))});

    for (double half = size; half >= 0.5; half /= 2) {
        for (const int columns : {1, 7, 1920}) {
            const auto result = series.columns(XAxis::Step, spike - half, spike + half, columns);
            CHECK(std::count_if(result.begin(), result.end(), [](const Column &column) { return column.max == 1e9; })
                  == 1);
        }
    }
}

TEST_CASE("one NaN in a million is seen at every zoom, and a curve of nothing else has columns without a number")
{
    Series series("x", "");
    for (std::int64_t i = 0; i < 1'000'000; ++i)
        series.append({i, i, i == 500'000 ? std::nan("") : 1.0});
    const auto whole = series.columns(XAxis::Step, -infinity, infinity, 100);
    CHECK(std::count_if(whole.begin(), whole.end(), [](const Column &column) { return column.hasNonFinite; }) == 1);

    Series nothing("x", "");
    for (std::int64_t i = 0; i < 10'000; ++i)
        nothing.append({i, i, i % 2 == 0 ? std::nan("") : -infinity});
    const auto columns = nothing.columns(XAxis::Step, 0, 9999, 3);
    REQUIRE(columns.size() == 3);
    for (const Column &column : columns) {
        CHECK(column.hasNonFinite);
        CHECK(std::isnan(column.first));
        CHECK(std::isnan(column.min));
    }
}

TEST_CASE("steps that go back keep every sample, and each segment has columns of its own")
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 50; ++round) {
        Series series("x", "");
        std::int64_t step = 0;
        for (int i = 0; i < 3000; ++i) {
            series.append({step, i, std::normal_distribution<double>()(random)});
            step =
                random() % (static_cast<unsigned>(round) + 2U) == 0 ? std::max<std::int64_t>(0, step - 50) : step + 1;
        }
        const double from = static_cast<double>(random() % 40);
        const double to = from + static_cast<double>(random() % 200);
        const int columns = static_cast<int>(1 + random() % 300);
        const auto result = series.columns(XAxis::Step, from, to, columns);

        std::uint64_t inRange = 0;
        double max = -infinity;
        for (std::size_t i = 0; i < series.size(); ++i) {
            const Sample sample = series.sample(i);
            if (static_cast<double>(sample.step) >= from && static_cast<double>(sample.step) <= to) {
                ++inRange;
                max = std::max(max, sample.value);
            }
        }
        std::uint64_t count = 0;
        double columnMax = -infinity;
        for (const Column &column : result) {
            count += column.count;
            columnMax = std::max(columnMax, column.max);
        }
        std::size_t segments = 1;
        for (const Column &column : result)
            segments += column.startsSegment ? 1 : 0;
        CHECK(result.size() <= static_cast<std::size_t>(columns) * std::min<std::size_t>(segments, 64));
        CHECK(count == inRange);
        CHECK(columnMax == max);
    }
}

TEST_CASE("a resumed rank's second run comes after its first")
{
    Series series("x", "");
    for (const std::int64_t step : {0, 1, 2, 3, 2, 3, 4})
        series.append({step, 0, static_cast<double>(series.size())});
    const auto columns = series.columns(XAxis::Step, 0, 4, 100);
    REQUIRE(columns.size() == 7);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        CHECK(columns[i].first == static_cast<double>(i));
        CHECK(columns[i].startsSegment == (i == 4));
    }
}
