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

TEST_CASE("a definition is that of a run while it has one trial that is left to itself")
{
    SweepSpec spec = makeRun("train", {"train"}, {});
    CHECK(isRun(spec));
    spec.run.retries = 2;
    spec.run.ranks = 4;
    Dimension lr;
    lr.name = "lr";
    lr.values = {0.1};
    spec.space.push_back(lr);
    CHECK(isRun(spec));
    spec.space.front().values.emplace_back(0.2);
    CHECK_FALSE(isRun(spec));
    spec = makeRun("train", {"train"}, {});
    spec.run.policy.hangFactor = 5;
    CHECK_FALSE(isRun(spec));
    CHECK_FALSE(isRun(SweepSpec()));
}
