#include "base/suggestion.h"
#include "sweep/parameter.h"
#include "sweep/problem.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

TEST_CASE("values are formatted as the shortest text that reads back")
{
    CHECK(toText(std::int64_t{-12}) == "-12");
    CHECK(toText(0.1) == "0.1");
    CHECK(toText(1.0) == "1");
    CHECK(toText(1e-5) == "1e-05");
    CHECK(toText(1.0 / 3.0) == "0.3333333333333333");
    CHECK(toText(true) == "true");
    CHECK(toText(std::string("a b")) == "a b");
}

TEST_CASE("a parameter is found by its name, an unknown name gives null")
{
    const ParameterSet parameters{{"lr", 0.1}, {"optimizer", std::string("sgd")}};
    REQUIRE(find(parameters, "optimizer") != nullptr);
    CHECK(*find(parameters, "optimizer") == ParameterValue(std::string("sgd")));
    CHECK(find(parameters, "momentum") == nullptr);
    CHECK(find(ParameterSet(), "lr") == nullptr);
}

TEST_CASE("a problem is described with the known part of its position")
{
    CHECK(describe({"run.ranks", "is wrong", 3, 9}, "a.toml") == "a.toml:3:9: run.ranks: is wrong");
    CHECK(describe({"run.ranks", "is wrong"}, "") == "run.ranks: is wrong");
    CHECK(describe({"", "is wrong", 3, 9}, "a.toml") == "a.toml:3:9: is wrong");
    CHECK(describe({"", "is wrong"}, "") == "is wrong");
}

TEST_CASE("the nearest known word is suggested, unless it is too different")
{
    const std::vector<std::string> known{"epochs", "batch_size", "lr", "layers"};
    CHECK(closestWord("epocs", known) == "epochs");
    CHECK(closestWord("epcohs", known) == "epochs");
    CHECK(closestWord("batchsize", known) == "batch_size");
    CHECK(closestWord("layer", known) == "layers");
    CHECK(closestWord("rl", known) == "lr");
    CHECK(closestWord("dropout", known).empty());
    CHECK(closestWord("", known).empty());
    CHECK(closestWord(std::string(100'000, 'x'), known).empty());
    CHECK(orList({"a", "b", "c"}) == "a, b or c");
}
