#include "sweep/point.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

Dimension dimension(const std::string &name, DimensionKind kind, std::vector<ParameterValue> values = {})
{
    Dimension made;
    made.name = name;
    made.kind = kind;
    made.values = std::move(values);
    return made;
}

SweepSpec spec()
{
    SweepSpec spec;
    spec.space = {dimension("lr", DimensionKind::Log), dimension("hidden", DimensionKind::Integer),
                  dimension("batch", DimensionKind::List, {std::int64_t{32}, std::int64_t{64}}),
                  dimension("optimizer", DimensionKind::Choice, {std::string("sgd"), std::string("adam")}),
                  dimension("nesterov", DimensionKind::Choice, {true, false})};
    spec.space.back().when = "optimizer == \"sgd\"";
    return spec;
}

}  // namespace

TEST_CASE("a point has the types of its parameters, in declared order, even outside their ranges")
{
    const auto point = parsePoint(
        spec(), {{"optimizer", "sgd"}, {"lr", "1"}, {"hidden", "1024"}, {"batch", "7"}, {"nesterov", "true"}});
    REQUIRE(point);
    CHECK(*point
          == ParameterSet{{"lr", 1.0},
                          {"hidden", std::int64_t{1024}},
                          {"batch", std::int64_t{7}},
                          {"optimizer", std::string("sgd")},
                          {"nesterov", true}});
    CHECK(parsePoint(spec(), {{"optimizer", "adam"}, {"lr", "1e-3"}, {"hidden", "8"}, {"batch", "7"}})->size() == 4);
}

TEST_CASE("a point for the built-in worker must have valid settings")
{
    SweepSpec builtin = spec();
    builtin.run.worker = WorkerKind::Builtin;
    builtin.space = {dimension("optimizer", DimensionKind::Choice, {std::string("sgd"), std::string("adam")}),
                     dimension("momentum", DimensionKind::Linear)};
    const auto message = [&](const std::string &optimizer, const std::string &momentum) {
        const auto point = parsePoint(builtin, {{"optimizer", optimizer}, {"momentum", momentum}});
        return point ? std::string() : point.error().message;
    };
    CHECK(message("adam", "0.5").empty());
    CHECK(message("adamq", "0.5").find("optimizer cannot be 'adamq'") != std::string::npos);
    CHECK_FALSE(message("sgd", "-1").empty());
    const auto longer = parsePoint(builtin, {{"optimizer", "adam"}, {"momentum", "0.5"}, {"epochs", "60"}});
    REQUIRE(longer.has_value());
    CHECK(*find(*longer, "epochs") == ParameterValue(std::int64_t{60}));
}

TEST_CASE("parameters that a condition switches off are found, also by values outside the space")
{
    SweepSpec conditional = spec();
    conditional.method = SearchMethod::Random;
    conditional.space[0].low = 0.001;
    conditional.space[0].high = 1;
    conditional.space[1].low = 1;
    conditional.space[1].high = 64;
    conditional.space.push_back(dimension("decay", DimensionKind::List, {0.1}));
    conditional.space.back().when = "nesterov";
    const auto space = SearchSpace::compile(conditional);
    REQUIRE(space);
    const auto off = [&](const std::string &optimizer, ParameterSet more) {
        more.insert(more.begin(), {"optimizer", optimizer});
        return switchedOffParameters(conditional, *space, more);
    };
    CHECK(off("sgd", {{"nesterov", true}, {"decay", 0.5}}).empty());
    CHECK(off("sgd", {{"nesterov", false}, {"decay", 0.1}}) == std::vector<std::string>{"decay"});
    CHECK(off("lion", {{"nesterov", true}, {"decay", 0.1}}) == std::vector<std::string>{"nesterov", "decay"});
    CHECK(off("adam", {}).empty());
}

TEST_CASE("an invalid point is refused with the name of the wrong parameter")
{
    const std::map<std::string, std::string> good{
        {"optimizer", "adam"}, {"lr", "1e-3"}, {"hidden", "8"}, {"batch", "7"}};
    const auto with = [&](const std::string &name, const std::string &text) {
        auto point = good;
        point[name] = text;
        return parsePoint(spec(), point);
    };
    for (const auto &[name, text] :
         {std::pair{"lr", "fast"}, {"lr", "nan"}, {"hidden", "8.5"}, {"batch", ""}, {"nesterov", "yes"}, {"m", "1"}}) {
        const auto refused = with(name, text);
        REQUIRE_FALSE(refused);
        CHECK_MESSAGE(refused.error().message.find(name) != std::string::npos, refused.error().message);
    }
    auto less = good;
    less.erase("hidden");
    CHECK(parsePoint(spec(), less).error().message == "the point has no value for hidden");
}
