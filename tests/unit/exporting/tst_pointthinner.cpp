#include "exporting/pointthinner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

std::vector<double> thinned(const std::vector<double> &values, std::uint64_t most)
{
    std::vector<double> result;
    PointThinner thinner(values.size(), most, [&result](const feed::Point &point) { result.push_back(point.value); });
    for (std::size_t i = 0; i < values.size(); ++i)
        thinner.add({0, static_cast<std::int64_t>(i), 0, values[i]});
    thinner.end();
    return result;
}

}  // namespace

TEST_CASE("a short curve keeps all points")
{
    CHECK(thinned({}, 10).empty());
    CHECK(thinned({1}, 10) == std::vector<double>{1});
    CHECK(thinned({3, 1, 2}, 5) == std::vector<double>{3, 1, 2});
    CHECK(thinned({3, 1, 2, 4, 5, 6, 7}, 0).size() == 7);
}

TEST_CASE("a group keeps its first, lowest, highest and last point in their order")
{
    CHECK(thinned({3, 5, 9, 4, 1, 2, 6}, 5) == std::vector<double>{3, 9, 1, 6});
    CHECK(thinned({1, 1, 1, 1, 1, 1, 1}, 5) == std::vector<double>{1, 1});
}

TEST_CASE("a long curve has at most the wanted points, and its extremes and a value that is not finite")
{
    std::vector<double> values;
    for (int i = 0; i < 100'000; ++i)
        values.push_back(std::sin(i * 0.001));
    values[77'777] = -5;
    values[33'333] = 7;
    values[50'001] = std::numeric_limits<double>::quiet_NaN();
    for (const std::uint64_t most : {5U, 9U, 100U, 1000U, 99'999U}) {
        const std::vector<double> kept = thinned(values, most);
        CHECK(kept.size() <= most);
        CHECK(kept.front() == values.front());
        CHECK(kept.back() == values.back());
        CHECK(std::ranges::count(kept, -5) == 1);
        CHECK(std::ranges::count(kept, 7) == 1);
        CHECK(std::ranges::count_if(kept, [](double value) { return std::isnan(value); }) == 1);
    }
}
