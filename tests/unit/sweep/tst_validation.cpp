#include "sweep/validation.h"

#include "specs.h"
#include "sweep/keytext.h"

#include <doctest/doctest.h>

using namespace sweepscope::sweep;
using namespace sweepscope::sweep::testing;

namespace {

std::string textOf(const std::vector<Problem> &problems)
{
    std::string text;
    for (const Problem &problem : problems)
        text += describe(problem, "") + "\n";
    return text;
}

bool hasProblem(const SweepSpec &spec, const std::string &field, const std::string &part)
{
    for (const Problem &problem : validate(spec)) {
        if (problem.field == field && problem.message.find(part) != std::string::npos)
            return true;
    }
    MESSAGE(textOf(validate(spec)));
    return false;
}

SweepSpec builtinSweep()
{
    SweepSpec spec;
    spec.name = "test";
    spec.objective = "val_loss";
    spec.space = {range(DimensionKind::Log, "lr", 1e-4, 1e-1, 4)};
    return spec;
}

}  // namespace

TEST_CASE("a valid sweep has no problems, and no position in a file")
{
    CHECK(validate(builtinSweep()).empty());
    CHECK(validate(commandSweep({numbers("x", {1, 2})})).empty());
    SweepSpec wrong = builtinSweep();
    wrong.run.ranks = 0;
    REQUIRE(validate(wrong).size() == 1);
    CHECK(validate(wrong)[0].line == 0);
}

TEST_CASE("invalid values that only a form can hold are found as well")
{
    SweepSpec spec = builtinSweep();
    spec.space.push_back(spec.space.front());
    CHECK(hasProblem(spec, "space.lr", "two parameters have this name"));
    spec.space[1].name = "";
    CHECK(hasProblem(spec, "space.2", "has no name"));
    spec = builtinSweep();
    spec.constraints = {{"", "lr > 0"}, {"a", "lr > 0"}, {"a", "lr > 0"}};
    CHECK(hasProblem(spec, "constraints.1", "no name"));
    CHECK(hasProblem(spec, "constraints.a", "two constraints"));
    spec = builtinSweep();
    spec.seed = std::uint64_t{1} << 63;
    CHECK(hasProblem(spec, "search.seed", "2^63"));
    spec = builtinSweep();
    spec.run.settings["lr"] = 0.1;
    CHECK(hasProblem(spec, "space.lr", "set in both [run] and [space]"));
    spec = builtinSweep();
    spec.run.settings["epocs"] = std::int64_t{1};
    CHECK(hasProblem(spec, "run.epocs", "did you mean 'epochs'"));
    spec = builtinSweep();
    spec.space[0].points = -1;
    CHECK(hasProblem(spec, "space.lr", "at least 1"));
    spec.space[0].points = 1'000'000'000;
    spec.space[0].low = 0.0999999999;
    CHECK(hasProblem(spec, "space.lr", "too close together"));
    spec = builtinSweep();
    spec.space[0] = integers("hidden", 1.5, 8);
    CHECK(hasProblem(spec, "space.hidden", "not integers"));
    spec = builtinSweep();
    for (int i = 0; i < 101; ++i)
        spec.space.push_back(numbers("p" + std::to_string(i), {1}));
    CHECK(hasProblem(spec, "space", "at most 100"));
}

TEST_CASE("an error in a condition has its position, and is reported with other errors")
{
    SweepSpec spec = builtinSweep();
    spec.space.push_back(numbers("momentum", {0.5}, "lr > 0.01 and optimzer == 'sgd'"));
    spec.space.push_back(integers("hidden", 8, 1));
    const auto problems = validate(spec);
    REQUIRE(problems.size() == 2);
    CHECK(problems[0].field == "space.hidden");
    CHECK(problems[1].field == "space.momentum");
    CHECK(problems[1].position == 15);
    CHECK(problems[1].message.find("at character 15. Did you mean \"optimizer\"?") != std::string::npos);
}

TEST_CASE("a parameter cannot be used before it is declared")
{
    CHECK(hasProblem(commandSweep({numbers("a", {1}, "b > 1"), numbers("b", {1, 2})}), "space.a", "declared later"));
    CHECK(hasProblem(commandSweep({numbers("a", {1}, "a > 1")}), "space.a", "declared later"));
}

TEST_CASE("a constraint that alone leaves no point is named, otherwise all of them are")
{
    SweepSpec spec = commandSweep({integers("a", 1, 9)}, {{"one", "a < 5"}, {"two", "a > 9"}});
    CHECK(hasProblem(spec, "constraints.two", "leaves no trial"));
    spec.constraints[1].expression = "a > 6";
    CHECK(hasProblem(spec, "constraints", "leave no trial"));
}

TEST_CASE("NCCL and CPUs exclude each other")
{
    SweepSpec spec = builtinSweep();
    spec.run.backend = "nccl";
    CHECK(validate(spec).empty());
    spec.devices.kind = DeviceKind::Cpu;
    CHECK(hasProblem(spec, "run.backend", "GPU"));
}

TEST_CASE("a command uses every parameter except ranks, or none")
{
    SweepSpec spec = commandSweep({numbers("lr", {0.1}), numbers("ranks", {})});
    spec.space[1].values = {std::int64_t{1}, std::int64_t{2}};
    spec.run.command = {"train", "{lr}", "{seed}", "{ranks}", "{{braces}}"};
    CHECK(validate(spec).empty());
    spec.run.command = {"train", "{lr}"};
    CHECK(validate(spec).empty());
    spec.run.command = {"train", "{rl}"};
    CHECK(hasProblem(spec, "run.command", "did you mean 'lr'"));
    spec.run.command = {"train"};
    CHECK(validate(spec).empty());
    spec.space.push_back(numbers("wd", {0.1}));
    spec.run.command = {"train", "{wd}"};
    CHECK(hasProblem(spec, "space.lr", "not used by the command"));
    spec.run.environment = {{"LR", "{lr}"}};
    CHECK(validate(spec).empty());
    spec.run.environment = {{"LR", "{rl}"}};
    CHECK(hasProblem(spec, "run.environment.LR", "did you mean 'lr'"));
    spec.run.environment.clear();
    spec.run.workingFolder = "runs/{lr}";
    CHECK(validate(spec).empty());
    spec.run.workingFolder = "runs/{lr";
    CHECK(hasProblem(spec, "run.working_folder", "unclosed"));
    spec.run.workingFolder.clear();
    spec.run.command = {""};
    CHECK(hasProblem(spec, "run.command", "enter a command"));
}

TEST_CASE("a random search larger than its space is reported at the number of trials")
{
    CHECK(hasProblem(randomSweep(10, 1, {numbers("x", {1, 2})}), "search.trials", "only 2 different"));
}

TEST_CASE("repeats need trials enough for one point, and seeds of their own")
{
    const auto problem = [](SweepSpec spec) {
        const std::vector<Problem> problems = validate(spec);
        return problems.empty() ? std::string() : problems.front().field + " " + problems.front().message;
    };
    SweepSpec spec = randomSweep(3, 1, {range(DimensionKind::Linear, "x", 0, 1, 0)});
    spec.repeats = 3;
    CHECK(problem(spec).empty());
    spec.trials = 2;
    CHECK(problem(spec) == "search.trials is less than the repeats of one point: ask for more trials");
    SweepSpec seeded = commandSweep({numbers("x", {1, 2}), integers("seed", 1, 3)});
    seeded.repeats = 2;
    CHECK(problem(seeded)
          == "search.repeats gives every run of a point its own seed, and seed is a parameter: remove one");
}

TEST_CASE("the table of built-in settings is consistent")
{
    for (const Key &setting : builtinSettings()) {
        INFO(setting.name);
        CHECK(checkValue(setting, defaultOf(setting)).empty());
        CHECK(findBuiltinSetting(setting.name) == &setting);
        CHECK_FALSE(setting.description.empty());
        CHECK((setting.type == KeyType::Choice) == !setting.choices.empty());
    }
    CHECK(findBuiltinSetting("nothing") == nullptr);
}
