#include "specs.h"
#include "sweep/command.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;
using namespace sweepscope::sweep::testing;

using Argv = std::vector<std::string>;

TEST_CASE("placeholders are replaced with values, doubled braces with braces")
{
    const ParameterSet parameters{{"lr", 0.001}, {"opt", std::string("sgd")}, {"n", std::int64_t{3}}, {"flag", true}};
    CHECK(expandCommand({"train", "--lr={lr}", "{opt}-{n}", "{{lr}}", "{flag}", "a}}b{{"}, parameters).value()
          == Argv{"train", "--lr=0.001", "sgd-3", "{lr}", "true", "a}b{"});
    CHECK(expandCommand({}, parameters).value().empty());
}

TEST_CASE("a value is never expanded again")
{
    CHECK(expandCommand({"{a}"}, {{"a", std::string("{b}")}}).value() == Argv{"{b}"});
}

TEST_CASE("unknown placeholders and unclosed braces are named")
{
    const auto unknown = expandCommand({"train", "{momentum}"}, {{"lr", 0.1}});
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().code == ErrorCode::BadInput);
    CHECK(unknown.error().message.find("{momentum}") != std::string::npos);
    CHECK_FALSE(expandCommand({"{lr"}, {{"lr", 0.1}}).has_value());
    CHECK_FALSE(expandCommand({"lr}"}, {{"lr", 0.1}}).has_value());
    CHECK_FALSE(expandCommand({"{a{b}"}, {{"b", 0.1}}).has_value());
    CHECK_FALSE(expandCommand({"{}"}, {{"b", 0.1}}).has_value());
}

TEST_CASE("an argument whose parameter is switched off is removed with its option")
{
    SweepSpec spec = commandSweep({choice("opt", {"sgd", "adam"}), numbers("momentum", {0.5, 0.9}, "opt == 'sgd'")});
    spec.run.command = {"train", "--opt", "{opt}", "--momentum", "{momentum}", "--m={momentum}", "--last"};
    CHECK(expandCommand(spec, {{"opt", std::string("sgd")}, {"momentum", 0.9}}, 1, 2).value()
          == Argv{"train", "--opt", "sgd", "--momentum", "0.9", "--m=0.9", "--last"});
    CHECK(expandCommand(spec, {{"opt", std::string("adam")}}, 1, 2).value()
          == Argv{"train", "--opt", "adam", "--last"});

    spec.run.command = {"train", "positional", "{momentum}", "{opt}"};
    CHECK(expandCommand(spec, {{"opt", std::string("adam")}}, 1, 2).value() == Argv{"train", "positional", "adam"});
    spec.run.command = {"--odd-program", "{momentum}"};
    CHECK(expandCommand(spec, {{"opt", std::string("adam")}}, 1, 2).value() == Argv{"--odd-program"});
}

TEST_CASE("seed and ranks of the trial can be used, unless a parameter has the name")
{
    SweepSpec spec = commandSweep({numbers("lr", {0.1})});
    spec.run.command = {"train", "--seed", "{seed}", "--ranks={ranks}", "{lr}"};
    CHECK(expandCommand(spec, {{"lr", 0.1}}, 77, 4).value() == Argv{"train", "--seed", "77", "--ranks=4", "0.1"});
    CHECK(expandCommand(spec, {{"lr", 0.1}, {"seed", std::int64_t{5}}}, 77, 4).value()[2] == "5");
    spec.run.command = {"train", "{nothing}"};
    CHECK_FALSE(expandCommand(spec, {{"lr", 0.1}}, 77, 4).has_value());
}
