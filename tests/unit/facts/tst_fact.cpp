#include "facts/fact.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

using namespace sweepscope::facts;

namespace {

/// Returns a fact with every field that its code allows.
Fact sampleOf(Code code)
{
    Fact fact(code);
    for (const Field field : fieldsOf(code)) {
        switch (typeOf(field)) {
        case FieldType::Integer:
            fact = std::move(fact).with(field, 3);
            break;
        case FieldType::Number:
            fact = std::move(fact).with(field, 2.5);
            break;
        case FieldType::Text:
            fact = std::move(fact).with(field, std::string("1,2"));
            break;
        }
    }
    return fact;
}

}  // namespace

TEST_CASE("every code has a unique name at its position in the table")
{
    std::set<std::string_view> names;
    for (const Code code : allCodes()) {
        CAPTURE(nameOf(code));
        CHECK(names.insert(nameOf(code)).second);
        CHECK(codeOf(nameOf(code)) == code);
    }
    CHECK(names.size() > 100);
    CHECK(nameOf(Code::None).empty());
}

TEST_CASE("every fact is the same after JSON")
{
    for (const Code code : allCodes()) {
        CAPTURE(nameOf(code));
        const Fact fact = sampleOf(code).dueTo(Fact(Code::RankExited).with(Field::Rank, 1).with(Field::ExitCode, 7));
        const auto read = fromJson(toJson(fact));
        REQUIRE(read);
        CHECK(*read == fact);
    }
    CHECK(toJson(Fact()).empty());
    CHECK(*fromJson("") == Fact());
}

TEST_CASE("non-finite numbers are the same after JSON")
{
    for (const double value : {HUGE_VAL, -HUGE_VAL}) {
        const auto read = fromJson(toJson(Fact(Code::PrunedByMedian).with(Field::Value, value)));
        REQUIRE(read);
        CHECK(read->number(Field::Value) == value);
    }
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    const auto read = fromJson(toJson(Fact(Code::PrunedByMedian).with(Field::Value, nan)));
    REQUIRE(read);
    CHECK(std::isnan(*read->number(Field::Value)));
}

TEST_CASE("facts of another version are kept as unknown")
{
    const auto read = fromJson(R"({"code": "frozen_over", "rank": 1})");
    REQUIRE(read);
    CHECK(*read == Fact(Code::Unknown).with(Field::Detail, std::string("frozen_over")));
}

TEST_CASE("fields that are unknown or of another type are ignored")
{
    const auto read = fromJson(R"({"code": "rank_exited", "colour": "red", "rank": "one", "exit_code": 3})");
    REQUIRE(read);
    CHECK(*read == Fact(Code::RankExited).with(Field::ExitCode, 3));
}

TEST_CASE("invalid facts are refused")
{
    std::string deep;
    for (int i = 0; i < 100'000; ++i)
        deep += R"({"code":"edited","because":[)";
    std::string within = R"({"code": "edited"})";
    for (int i = 0; i < 20; ++i)
        within = R"({"code": "edited", "because": [)" + within + "]}";
    for (const std::string &text : {std::string("{"), std::string("[]"), std::string("{}"), std::string("null"),
                                    std::string(R"({"code": 3})"), deep, within}) {
        CAPTURE(text.substr(0, 40));
        const auto read = fromJson(text);
        REQUIRE(!read);
        CHECK(read.error().code == sweepscope::ErrorCode::Corrupt);
    }
}
