#include "importing/listedvalues.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using importing::listedValues;
using sweep::ParameterValue;

TEST_CASE("numbers become a list with one type")
{
    const auto listed = listedValues({std::int64_t{1}, 0.5});
    CHECK(listed.kind == sweep::DimensionKind::List);
    CHECK(listed.values == std::vector<ParameterValue>{1.0, 0.5});
    CHECK(listed.note.empty());
}

TEST_CASE("strings and booleans become a choice")
{
    CHECK(listedValues({std::string("a"), std::string("b")}).kind == sweep::DimensionKind::Choice);
    const auto flags = listedValues({true, false});
    CHECK(flags.kind == sweep::DimensionKind::Choice);
    CHECK(flags.values == std::vector<ParameterValue>{true, false});
}

TEST_CASE("values of several types become strings, with a note")
{
    const auto listed = listedValues({std::string("off"), 0.5, true});
    CHECK(listed.values == std::vector<ParameterValue>{std::string("off"), std::string("0.5"), std::string("true")});
    CHECK(!listed.note.empty());
}

TEST_CASE("equal values are listed once, with a note")
{
    const auto listed = listedValues({std::int64_t{1}, 1.0, std::int64_t{2}});
    CHECK(listed.values.size() == 2);
    CHECK(listed.note.find("listed once") != std::string::npos);
}
