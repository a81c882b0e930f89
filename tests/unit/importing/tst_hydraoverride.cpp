#include "importing/hydraoverride.h"

#include "sweep/parameter.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using importing::HydraSweeper;
using sweep::DimensionKind;
using sweep::ParameterValue;

namespace {

Expected<importing::OverrideRange> rangeIn(const std::string &text, HydraSweeper sweeper = HydraSweeper::Optuna)
{
    const auto value = importing::parseOverride(text);
    REQUIRE(value);
    REQUIRE(!value->function.empty());
    return importing::rangeOf(*value, sweeper);
}

std::vector<ParameterValue> integers(std::initializer_list<std::int64_t> values)
{
    return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("a value without commas and functions is fixed")
{
    for (const char *text : {"adam", "0.1", "[1,2]", "{a:1,b:2}", "'a,b'", "\"x(1)\"", "a\\,b", "${x.y}"}) {
        CAPTURE(text);
        const auto value = importing::parseOverride(text);
        REQUIRE(value);
        CHECK(value->function.empty());
        CHECK(value->text == text);
    }
}

TEST_CASE("commas sweep over values, as choice() does")
{
    CHECK(rangeIn("1,2,3")->dimension.values == integers({1, 2, 3}));
    CHECK(rangeIn("choice(1, 2, 3)")->dimension.values == integers({1, 2, 3}));
    CHECK(rangeIn("[1,2],[3]")->dimension.values
          == std::vector<ParameterValue>{std::string("[1,2]"), std::string("[3]")});
    CHECK(rangeIn("True,false")->dimension.values == std::vector<ParameterValue>{true, false});
}

TEST_CASE("stop is no value of range(), except with the sweeper of Optuna")
{
    const auto basic = rangeIn("range(1,10,3)", HydraSweeper::Basic)->dimension;
    CHECK(basic.kind == DimensionKind::Integer);
    CHECK(basic.low == 1);
    CHECK(basic.high == 7);
    CHECK(basic.step == 3);
    CHECK(rangeIn("range(1,10,3)")->dimension.high == 10);
    CHECK(rangeIn("range(3)", HydraSweeper::Basic)->dimension.high == 2);
    CHECK(rangeIn("range(stop=3, start=1)", HydraSweeper::Basic)->dimension.values.empty());
    CHECK(rangeIn("range(0, 1)", HydraSweeper::Basic)->dimension.values == integers({0}));
    const auto steps = rangeIn("range(0,0.5,0.1)", HydraSweeper::Basic)->dimension;
    CHECK(steps.kind == DimensionKind::Stepped);
    CHECK(steps.high == 0.4);
    CHECK(rangeIn("range(0,0.5,step=0.1)")->dimension.high == 0.5);
    CHECK(!rangeIn("range(5,1)"));
    CHECK(!rangeIn("range(1,5,0)"));
    const auto descending = rangeIn("range(10,0,-5)", HydraSweeper::Basic);
    CHECK(descending->dimension.low == 5);
    CHECK(descending->dimension.high == 10);
    CHECK(!descending->note.empty());
}

TEST_CASE("interval() follows cast and tag, in either order")
{
    CHECK(rangeIn("interval(0, 1)")->dimension.kind == DimensionKind::Linear);
    CHECK(rangeIn("tag(log, interval(0.1, 1))")->dimension.kind == DimensionKind::Log);
    CHECK(rangeIn("int(interval(1, 8.5))")->dimension.kind == DimensionKind::Integer);
    CHECK(rangeIn("int(interval(1, 8.5))")->dimension.high == 8);
    CHECK(rangeIn("int(tag(log, interval(1, 8)))")->dimension.kind == DimensionKind::LogInteger);
    CHECK(rangeIn("tag(log, int(interval(1, 8)))")->dimension.kind == DimensionKind::LogInteger);
    CHECK(!rangeIn("interval(0, 1)", HydraSweeper::Basic));
    CHECK(!rangeIn("interval(0)"));
    CHECK(!rangeIn("interval(a, b)"));
}

TEST_CASE("other functions and unbalanced brackets are refused")
{
    CHECK(!rangeIn("glob(*)"));
    CHECK(!rangeIn("int(3)"));
    CHECK(!importing::parseOverride("choice(1, 2"));
    CHECK(!importing::parseOverride("a]"));
    CHECK(!importing::parseOverride("'a"));
    std::string deep;
    for (int i = 0; i < 50; ++i)
        deep += "f(";
    CHECK(!importing::parseOverride(deep + std::string(50, ')')));
}
