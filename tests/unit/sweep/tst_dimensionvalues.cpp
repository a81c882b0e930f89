#include "sweep/dimensionvalues.h"
#include "sweepfiletext.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

/// The parameter `n` of a random search.
Dimension dimensionOf(const std::string &written, const std::string &method = "random")
{
    const ParsedSweep parsed = parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = '" + method
                                          + "'\n" + (method == "grid" ? "" : "trials = 2\n") + "[space]\nn = " + written
                                          + "\nm = [1, 2, 3]\n[run]\ncommand = ['x', '{n}', '{m}']\n");
    INFO(written);
    for (const Problem &problem : parsed.problems)
        INFO(problem.message);
    REQUIRE(parsed.problems.empty());
    return parsed.spec.space.front();
}

std::string problemOf(const std::string &written, const std::string &method = "random")
{
    const ParsedSweep parsed = parseSweep("[sweep]\nname = 'x'\nobjective = 'loss'\n[search]\nmethod = '" + method
                                          + "'\n" + (method == "grid" ? "" : "trials = 2\n") + "[space]\nn = " + written
                                          + "\nm = [1, 2, 3]\n[run]\ncommand = ['x', '{n}', '{m}']\n");
    return parsed.problems.empty() ? "" : parsed.problems.front().message;
}

/// Each value has its index, and no other number has one.
void checkIndices(const DimensionValues &values, double low, double high)
{
    for (std::uint64_t i = 0; i < values.size(); ++i)
        CHECK(values.indexOf(values.at(i)) == i);
    for (const double outside : {low - 1, high + 1, low + 0.013})
        CHECK_FALSE(values.indexOf(outside).has_value());
}

}  // namespace

TEST_CASE("a float range with a step has the numbers from its start")
{
    const Dimension dimension = dimensionOf("{ float = [0.0, 0.35], step = 0.1 }");
    CHECK((dimension.kind == DimensionKind::Stepped));
    const DimensionValues values(dimension);
    REQUIRE(values.size() == 4);
    CHECK(values.at(3) == ParameterValue(0.3));  // not 0.30000000000000004
    CHECK_FALSE(values.isContinuous());
    checkIndices(values, 0, 0.35);
    CHECK(DimensionValues(dimensionOf("{ float = [0.0, 0.3], step = 0.1 }")).size() == 4);
    CHECK(DimensionValues(dimensionOf("{ float = [0, 3], step = 1 }", "grid")).size() == 4);

    CHECK(problemOf("{ float = [0.0, 1.0], step = 0 }") == "has a step of 0: it must be above 0");
    CHECK(problemOf("{ float = [0.0, 1.0], step = 2 }") == "has a step of 2, which is wider than the range");
    CHECK(problemOf("{ float = [0.0, 1.0], step = 'x' }") == "has a step that is a string: it must be a number");
    CHECK(problemOf("{ float = [0.0, 1.0], step = 0.1, points = 3 }") == "has both points and step: keep one");
    CHECK(problemOf("{ log = [0.1, 1.0], step = 0.1 }")
          == "has step, which only float and int accept: for a logarithmic range use points");
}

TEST_CASE("integers on a logarithmic line are drawn so that each doubling is equally likely")
{
    const Dimension dimension = dimensionOf("{ int = [1, 1024], log = true }");
    CHECK((dimension.kind == DimensionKind::LogInteger));
    const DimensionValues values(dimension);
    CHECK(values.size() == 1024);
    CHECK_FALSE(values.isContinuous());
    CHECK(values.indexAt(0) == 0);
    CHECK(values.indexAt(std::nextafter(1.0, 0.0)) == 1023);
    int below32 = 0;
    for (int i = 0; i < 1000; ++i)
        below32 += values.indexAt(i / 1000.0) < 31 ? 1 : 0;
    CHECK(below32 > 500);  // log(31.5 / 0.5) / log(1024.5 / 0.5)
    CHECK(below32 < 570);
    CHECK(values.indexOf(std::int64_t{32}) == 31);
    CHECK_FALSE(values.indexOf(0.5).has_value());

    const Dimension few = dimensionOf("{ int = [16, 4096], log = true, points = 9 }", "grid");
    const DimensionValues powers(few);
    REQUIRE(powers.size() == 9);
    for (std::uint64_t i = 0; i < 9; ++i)
        CHECK(powers.at(i) == ParameterValue(std::int64_t{16} << i));
    checkIndices(powers, 16, 4096);

    CHECK((dimensionOf("{ int = [1, 9], log = false }").kind == DimensionKind::Integer));
    CHECK(problemOf("{ int = [0, 9], log = true }").starts_with("has a logarithmic range that starts at 0"));
    CHECK(problemOf("{ int = [1, 9], log = true }", "grid") == "has no points: a grid needs their number, e.g. 5");
    CHECK(
        problemOf("{ int = [1, 9], log = true, points = 8 }", "grid").starts_with("has 8 points, which are too close"));
    CHECK(problemOf("{ int = [1, 9], log = [1, 2] }")
          == "has more than one of values, float, log, int, normal and log_normal: keep one");
    CHECK(problemOf("{ int = [1, 9], points = 3 }")
          == "has points, but an integer range takes step, unless log is true");
}

TEST_CASE("a normal distribution is drawn by its quantiles, four deviations to both sides")
{
    const Dimension dimension = dimensionOf("{ normal = [10.0, 2.0] }");
    CHECK((dimension.kind == DimensionKind::Normal));
    CHECK(dimension.low == 2);
    CHECK(dimension.high == 18);
    const DimensionValues values(dimension);
    CHECK(values.isContinuous());
    CHECK(values.sample(0) == 2);
    CHECK(values.sample(1) == 18);
    CHECK(values.sample(0.5) == 10);
    // scipy.stats.norm(10, 2).ppf(0.9) = 12.5631…, a little less for what is left out
    CHECK(std::fabs(values.sample(0.9) - 12.5631) < 1e-3);
    for (const double unit : {0.0, 0.001, 0.25, 0.5, 0.8, 0.9999, 1.0})
        CHECK(std::fabs(values.unitOf(values.sample(unit)) - unit) < 1e-9);
    CHECK(values.contains(2.5));
    CHECK_FALSE(values.contains(18.5));

    const Dimension logarithmic = dimensionOf("{ log_normal = [0, 1], points = 3 }", "grid");
    const DimensionValues three(logarithmic);
    REQUIRE(three.size() == 3);
    CHECK(three.at(1) == ParameterValue(1.0));
    const double lower = *numberOf(three.at(0));
    CHECK(std::fabs(std::log(lower) + 0.9674) < 1e-3);  // the sixth part of a standard normal distribution
    CHECK(std::fabs(lower * *numberOf(three.at(2)) - 1) < 1e-9);

    CHECK(problemOf("{ normal = [0, 0] }")
          == "has a mean of 0 and a standard deviation of 0: both must be finite, the deviation above 0");
    CHECK(problemOf("{ normal = [1e9, 1e-9] }").starts_with("has a standard deviation of 1e-09, too small for values"));
    CHECK(problemOf("{ log_normal = [0, 200] }").starts_with("reaches numbers that are too large or too small: mean"));
    CHECK(problemOf("{ normal = [0, 1] }", "grid") == "has no points: a grid needs their number, e.g. 5");
    CHECK(problemOf("{ normal = [1, 2, 3] }")
          == "needs mean and standard deviation, not a list of 3: write [mean, deviation]");
    CHECK(problemOf("{ normal = ['a', 1] }") == "has a string: it must be a number");
}
