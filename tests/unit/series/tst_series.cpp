#include "seriestesting.h"

using namespace seriestesting;

namespace {

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

TEST_CASE("a range includes both ends, and an infinite end is that of the curve")
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

TEST_CASE("any range of any curve has the columns of the reference implementation")
{
    for (std::uint64_t seed = 1; seed <= 90; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        const auto size = std::uniform_int_distribution<int>(1, seed <= 60 ? 700 : 20'000)(random);
        Series series("x", "");
        std::int64_t step = std::uniform_int_distribution<std::int64_t>(-1000, 1'000'000'000'000)(random);
        std::int64_t time = 1'700'000'000'000'000'000;
        const bool goesBack = seed % 3 == 0;
        const bool floats = seed % 2 == 0;
        for (int i = 0; i < size; ++i) {
            const auto kind = seed % 4 < 2 ? 3 : random() % 40;
            const double any = std::normal_distribution<double>(0, 100)(random);
            const double finite = floats ? static_cast<double>(static_cast<float>(any)) : any;
            const double value = kind == 0 ? std::nan("") : kind == 1 ? infinity : kind == 2 ? -infinity : finite;
            series.append({step, time, seed % 5 == 0 && i % 300 < 200 && seed % 4 >= 2 ? std::nan("") : value});
            step += static_cast<std::int64_t>(random() % 4);
            time += static_cast<std::int64_t>(random() % (seed % 7 == 0 ? 30'000'000'000'000 : 3'000'000'000));
            if (goesBack && random() % (static_cast<unsigned>(size) / 8U + 1U) == 0)
                (random() % 2 == 0 ? step : time) -= 20'000'000'000;
        }
        for (int ask = 0; ask < 20; ++ask) {
            const Question q(series, random);
            CAPTURE(ask);
            const auto defined = definedColumns(series, q.axis, q.from, q.to, q.columns);
            const auto segments =
                std::count_if(defined.begin(), defined.end(), [](const Column &c) { return c.startsSegment; });
            if (segments < 60)
                REQUIRE(sameColumns(series.columns(q.axis, q.from, q.to, q.columns), defined));
        }
    }
}

TEST_CASE("the next sample on either side is included if a line must reach the edges")
{
    Series series("x", "");
    for (const std::int64_t step : {0, 10, 20, 5, 15, 25})
        series.append({step, step, static_cast<double>(series.size())});
    const auto between = series.columns(XAxis::Step, 11, 12, 100, Edges::WithNeighbours);
    REQUIRE(between.size() == 4);
    CHECK(between[0].x == 10);
    CHECK(between[1].x == 20);
    CHECK(between[2].x == 5);
    CHECK(between[2].startsSegment);
    CHECK(between[3].x == 15);
    const auto wider = series.columns(XAxis::Step, 8, 16, 100, Edges::WithNeighbours);
    REQUIRE(wider.size() == 6);
    CHECK(series.columns(XAxis::Step, 8, 16, 100).size() == 2);
    CHECK(series.columns(XAxis::Step, 30, 40, 100, Edges::WithNeighbours).empty());
}

TEST_CASE("packed samples are unpacked unchanged, whatever the clock and the steps")
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        Series series("x", "");
        std::vector<Sample> all;
        const int bits = static_cast<int>(seed % 8) * 8;
        std::uint64_t step = seed % 5 == 0 ? 0x8000000000000000ULL : 0;
        std::uint64_t time = 0;
        for (int i = 0; i < 1000; ++i) {
            all.push_back(
                {static_cast<std::int64_t>(step), static_cast<std::int64_t>(time), std::bit_cast<double>(random())});
            step += bits == 0 ? 1 : random() >> (64 - bits);
            time += bits == 0 ? 1'000'000 : random() >> (64 - bits);
            series.append(all.back());
        }
        REQUIRE(series.size() == all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            REQUIRE(sameSample(series.sample(i), all[i]));
        CHECK(sameSample(series.back(), all.back()));
    }
}

TEST_CASE("time since the origin keeps nanoseconds that doubles of seconds since 1970 cannot")
{
    Series series("x", "");
    for (std::int64_t i = 0; i < 100; ++i)
        series.append({i, 1'763'674'200'123'456'789 + i, static_cast<double>(i)});
    CHECK(series.columns(XAxis::RelativeTime, 0, 99e-9, 100).size() == 100);
    series.setOrigin(1'763'674'199'000'000'000);
    CHECK(series.extent(XAxis::RelativeTime).first == doctest::Approx(1.123456789).epsilon(1e-12));
}

TEST_CASE("more segments than a plot can show share its columns, each with only its own samples")
{
    constexpr std::int64_t period = 1000;
    std::mt19937_64 random(11);
    Series series("x", "");
    std::vector<Sample> samples;
    for (std::int64_t i = 0; i < 100'000; ++i) {
        const double value = i % 997 == 0 ? std::nan("") : std::normal_distribution<double>(0, 10)(random);
        samples.push_back({i % period, i, value});
        series.append(samples.back());
    }
    for (const auto &[from, to, count] : {std::tuple(0.0, 999.0, 200), {0.0, 999.0, 3000}, {250.5, 260.0, 7}}) {
        std::vector<Column> defined(static_cast<std::size_t>(count));
        for (const Sample &sample : samples) {
            const auto x = static_cast<double>(sample.step);
            if (x < from || x > to)
                continue;
            Column &column = defined[static_cast<std::size_t>(columnAt(x, from, to, count))];
            column.x = column.count == 0 ? x : std::min(column.x, x);
            ++column.count;
            if (std::isnan(sample.value)) {
                column.hasNonFinite = true;
                continue;
            }
            const bool first = std::isnan(column.mean);
            column.first = first ? sample.value : column.first;
            column.min = first ? sample.value : std::min(column.min, sample.value);
            column.max = first ? sample.value : std::max(column.max, sample.value);
            column.mean = column.last = sample.value;
        }
        std::erase_if(defined, [](const Column &column) { return column.count == 0; });
        const auto columns = series.columns(XAxis::Step, from, to, count);
        REQUIRE(columns.size() == defined.size());
        for (std::size_t i = 0; i < columns.size(); ++i) {
            REQUIRE(columns[i].x == defined[i].x);
            REQUIRE(columns[i].count == defined[i].count);
            REQUIRE(columns[i].hasNonFinite == defined[i].hasNonFinite);
            REQUIRE(columns[i].first == defined[i].first);
            REQUIRE(columns[i].min == defined[i].min);
            REQUIRE(columns[i].max == defined[i].max);
            REQUIRE(columns[i].last == defined[i].last);
            REQUIRE_FALSE(columns[i].startsSegment);
        }
    }
    const auto wider = series.columns(XAxis::Step, 250.5, 260, 7, Edges::WithNeighbours);
    CHECK(wider.size() == 7 + 2);
    CHECK(wider.front().x == 250);
    CHECK(wider.back().x == 261);
}

TEST_CASE("a spike of one sample in a million is visible at every zoom")
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

TEST_CASE("one NaN in a million is visible at every zoom, and a curve of NaN has columns without a number")
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

TEST_CASE("decreasing steps keep every sample, and each segment has separate columns")
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

TEST_CASE("a resumed rank's second run follows its first")
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
