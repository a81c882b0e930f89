#include "goldenfiles.h"

#include "importing/sourcefile.h"

using namespace sweepscope;

namespace {

std::string problemOf(const std::string &yaml)
{
    const auto imported = importing::importYaml(yaml, "config");
    return imported.problems.empty() ? std::string() : sweep::describe(imported.problems.front(), "config.yaml");
}

}  // namespace

TEST_CASE("sweeps of Hydra become the expected sweep files")
{
    checkGoldenFiles("hydra");
}

TEST_CASE("what has no equivalent in Hydra's sweeps is refused with its line")
{
    CHECK(problemOf("hydra:\n  sweeper:\n    params:\n      a: 1,2\n      b: glob(*)\n")
          == "config.yaml:5:7: hydra.sweeper.params.b: glob() has no equivalent: use choice(), range() or interval()");
    CHECK(problemOf("hydra:\n  sweeper:\n    _target_: hydra_plugins.hydra_ax_sweeper.ax_sweeper.AxSweeper\n"
                    "    params: {a: '1,2'}\n")
              .find("AxSweeper has no equivalent")
          != std::string::npos);
    CHECK(problemOf("hydra: {sweeper: {params: {a: 1}}}\n").find("sweeps over nothing") != std::string::npos);
    CHECK(!problemOf("hydra: {sweeper: 3}\n").empty());
    CHECK(!problemOf("hydra: {sweeper: {params: [1]}, overrides: {task: {a: 1}}}\n").empty());
}
