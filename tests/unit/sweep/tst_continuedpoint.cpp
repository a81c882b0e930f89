#include "sweep/continuedpoint.h"

#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

using namespace sweepscope::sweep;

namespace {

SweepSpec continuableSpec(const std::string &run, const std::string &space = "lr = [0.1, 0.2]\nhidden = [8, 16]")
{
    const ParsedSweep parsed =
        parseSweep("[sweep]\nname = 's'\nobjective = 'val_loss'\n[space]\n" + space + "\n[run]\n" + run + "\n");
    for (const Problem &problem : parsed.problems)
        MESSAGE(problem.message);
    REQUIRE(parsed.problems.empty());
    return parsed.spec;
}

const ParameterSet continuedParent{{"lr", 0.1}, {"hidden", std::int64_t{8}}};

std::string continuationProblem(const SweepSpec &spec, const std::map<std::string, std::string> &changes)
{
    const auto point = continuedPoint(spec, continuedParent, changes);
    return point ? std::string() : point.error().message;
}

}  // namespace

TEST_CASE("a continued trial keeps its parameters, and settings of the built-in worker can be added")
{
    const SweepSpec spec = continuableSpec("dataset = 'digits'\nmodel = 'mlp'\nepochs = 5");
    CHECK(continuedPoint(spec, continuedParent, {}) == continuedParent);
    const auto longer = continuedPoint(spec, continuedParent, {{"epochs", "60"}, {"lr", "0.05"}, {"augment", "none"}});
    REQUIRE_MESSAGE(longer.has_value(), (longer ? "" : longer.error().message));
    CHECK(*find(*longer, "lr") == ParameterValue(0.05));
    CHECK(*find(*longer, "epochs") == ParameterValue(std::int64_t{60}));
    const auto again = continuedPoint(spec, *longer, {{"epochs", "90"}});
    REQUIRE(again.has_value());
    CHECK(again->size() == longer->size());
    CHECK(*find(*again, "epochs") == ParameterValue(std::int64_t{90}));
}

TEST_CASE("a change with which training would start over is refused")
{
    const SweepSpec spec = continuableSpec("dataset = 'digits'\nmodel = 'mlp'\nepochs = 5");
    CHECK(continuationProblem(spec, {{"hidden", "16"}}).starts_with("hidden cannot change"));
    CHECK(continuationProblem(spec, {{"hidden", "8"}}).empty());
    CHECK(continuationProblem(spec, {{"model", "mlp"}}).starts_with("model cannot change"));
    CHECK(continuationProblem(spec, {{"seed", "7"}}).starts_with("seed cannot change"));
}

TEST_CASE("wrong names and values are refused")
{
    const SweepSpec spec = continuableSpec("dataset = 'digits'\nmodel = 'mlp'\nepochs = 5");
    CHECK(continuationProblem(spec, {{"epochs", "many"}}).starts_with("epochs must be an integer"));
    CHECK(continuationProblem(spec, {{"epoch", "60"}}).find("has no parameter 'epoch'") != std::string::npos);
    const SweepSpec command = continuableSpec("command = ['true', '{lr}', '{hidden}']");
    CHECK(continuationProblem(command, {{"epochs", "60"}}).find("has no parameter 'epochs'") != std::string::npos);
    CHECK(continuationProblem(command, {{"hidden", "16"}}).empty());
}
