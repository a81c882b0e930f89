#include "sweep/probe.h"

#include "sweep/command.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"
#include "sweep/validation.h"

#include <doctest/doctest.h>

#include <string>

using namespace sweepscope::sweep;

namespace {

SweepSpec parsed(const std::string &toml)
{
    const ParsedSweep sweep = parseSweep(toml);
    for (const Problem &problem : sweep.problems)
        FAIL(describe(problem, "sweep"));
    return sweep.spec;
}

const std::string command = "[sweep]\nname = \"t\"\nobjective = \"loss\"\n[run]\ncommand = [\"true\"]\n[space]\n";

/// Returns the field of the only problem.
std::string wrongField(const std::string &rest)
{
    const ParsedSweep sweep = parseSweep(command + rest);
    REQUIRE(sweep.problems.size() == 1);
    return sweep.problems.front().field;
}

}  // namespace

TEST_CASE("a probe is the same after writing and reading")
{
    const SweepSpec spec =
        parsed(command + "batch = [16, 32]\nlr = [0.1]\n[probe]\nparameter = \"batch\"\nmeasure = \"90s\"");
    REQUIRE(spec.probe.has_value());
    CHECK(spec.probe->parameter == "batch");
    CHECK(spec.probe->measure == std::chrono::seconds(90));
    CHECK((parsed(toToml(spec)) == spec));
    CHECK(parsed(command + "batch_size = [16, 32]\n[probe]").probe == ProbeSection());
}

TEST_CASE("sweeps that cannot be probed are reported at the field")
{
    CHECK(wrongField("batch_size = [32, 16]\n[probe]") == "space.batch_size");
    CHECK(wrongField("batch_size = [0, 16]\n[probe]") == "space.batch_size");
    CHECK(wrongField("batch_size = [\"small\", \"large\"]\n[probe]") == "space.batch_size");
    CHECK(wrongField("batch_size = [16, 32]\nlr = [0.1, 0.2]\n[probe]") == "space.lr");
    CHECK(wrongField("lr = [0.1]\n[probe]") == "probe.parameter");
    CHECK(wrongField("batch_size = [16, 32]\n[probe]\nmeasure = 0") == "probe.measure");
    CHECK(wrongField("batch_size = [16, 32]\n[probe]\n[devices]\nconcurrent = 2") == "devices.concurrent");
    CHECK(wrongField("batch_size = [16, 32]\n[probe]\n[prune]\nfirst_step = 5") == "prune");
}

TEST_CASE("any sweep can be probed: its other parameters have their first values")
{
    SweepSpec spec = parsed(command
                            + "lr = { log = [1e-3, 1e-1], points = 3 }\nbatch_size = [32, 64]\n"
                              "optimizer = [\"sgd\", \"adam\"]\n[constraints]\nsmall = \"batch_size < 100\"\n"
                              "[devices]\nconcurrent = 4");
    const auto probe = probeOf(spec, {"batch_size", {4, 8, 16}, std::chrono::seconds(5)});
    REQUIRE(probe.has_value());
    CHECK(validate(*probe).empty());
    CHECK(probe->name == "t-probe");
    const auto plans = planTrials(*probe);
    REQUIRE(plans.has_value());
    REQUIRE(plans->size() == 3);
    const ParameterSet expected{{"lr", 0.001}, {"optimizer", std::string("sgd")}, {"batch_size", std::int64_t{16}}};
    CHECK((plans->back().parameters == expected));
    CHECK(probedValue(*probe->probe, plans->back().parameters) == 16);

    const auto unsorted = probeOf(spec, {"batch_size", {16, 4, 8, 8}, std::chrono::seconds(5)});
    REQUIRE(unsorted.has_value());
    CHECK((unsorted->space == probe->space));

    spec.space.erase(spec.space.begin() + 1);
    const auto without = probeOf(spec, {});
    REQUIRE_FALSE(without.has_value());
    CHECK(without.error().field == "space");
}

TEST_CASE("the built-in worker's batch size need not be a parameter, and it trains until stopped")
{
    const SweepSpec spec = parsed("[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n[space]\nlr = [0.1, 0.2]\n"
                                  "[run]\nworker = \"builtin\"\nbatch_size = 7\nepochs = 1\nearly_stop = 2\n");
    const auto probe = probeOf(spec, {});
    REQUIRE(probe.has_value());
    CHECK(validate(*probe).empty());
    CHECK_FALSE(probe->run.settings.contains("batch_size"));
    CHECK((probe->run.settings.at("checkpoints") == ParameterValue(false)));
    CHECK((probe->run.settings.at("epochs") == ParameterValue(std::int64_t{100'000})));
    CHECK(countTrials(*probe) == 8);
}

TEST_CASE("the probed value goes into the probed sweep, or turns the probe into a sweep that trains")
{
    const SweepSpec spec = parsed("[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n[space]\nlr = [0.1, 0.2]\n"
                                  "batch_size = [16, 32]\n[run]\nworker = \"builtin\"\nepochs = 3\n");
    const SweepSpec used = withProbedValue(spec, "batch_size", 512);
    CHECK(used.name == "t");
    CHECK(used.space.size() == 2);
    CHECK((used.space[1].values == std::vector<ParameterValue>{std::int64_t{512}}));
    CHECK((used.run.settings.at("epochs") == ParameterValue(std::int64_t{3})));

    const auto probe = probeOf(spec, {});
    REQUIRE(probe.has_value());
    CHECK(probedName(probe->name) == "t");
    CHECK(probedName("t").empty());
    const SweepSpec trains = withProbedValue(*probe, "batch_size", 512);
    CHECK(trains.name == "t");
    CHECK_FALSE(trains.probe.has_value());
    CHECK_FALSE(trains.run.settings.contains("epochs"));
    CHECK(validate(trains).empty());
    CHECK(countTrials(trains) == 1);
}

TEST_CASE("a sweep of results without a program cannot be probed")
{
    SweepSpec spec = parsed(command + "batch_size = [16, 32]");
    spec.run.command = commandOfResults();
    const auto probe = probeOf(spec, {});
    REQUIRE(!probe.has_value());
    CHECK(probe.error().field == "run.command");
}
