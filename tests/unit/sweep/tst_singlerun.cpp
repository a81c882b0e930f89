#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "sweep/trialplan.h"

#include <doctest/doctest.h>

using namespace sweepscope::sweep;

TEST_CASE("the definition of a run is valid, and keeps command and environment literally")
{
    const SweepSpec spec = makeRun("train", {"python3", "train.py", "--config={a: {b}}"}, {{"PROMPT", "{x} }"}});
    const ParsedSweep parsed = parseSweep(toToml(spec));
    CHECK(parsed.problems.empty());
    CHECK(parsed.spec == spec);
    CHECK(*countTrials(spec) == 1);
    CHECK(spec.run.command.back() == "--config={{a: {{b}}}}");
    CHECK(spec.run.environment.at("PROMPT") == "{{x}} }}");
}

TEST_CASE("the name of a run is that of its script")
{
    CHECK(runNameOf("src/train.py") == "train");
    CHECK(runNameOf("/usr/bin/python3") == "python3");
    CHECK(runNameOf("my run") == "my run");
    CHECK(runNameOf("") == "run");
    CHECK(runNameOf("...") == "run");
    CHECK(runNameOf(std::string("a\nb\x7f")) == "ab");
    CHECK(runNameOf(std::string(59, 'x') + "ä") == std::string(59, 'x'));
}

TEST_CASE("a sweep with one trial is a run, and a search is none")
{
    SweepRecord sweep;
    sweep.trialsTotal = 1;
    CHECK(isRun(sweep));
    sweep.trialsTotal = 2;
    CHECK_FALSE(isRun(sweep));
    sweep.trialsTotal = 1;
    sweep.trialsToCome = 3;
    CHECK_FALSE(isRun(sweep));
    sweep.trialsToCome = std::nullopt;
    CHECK_FALSE(isRun(sweep));
}
