#include "goldenfiles.h"

#include "importing/sourcefile.h"

#include <algorithm>

using namespace sweepscope;

namespace {

importing::ImportedSweep importedText(const std::string &parameters, const std::string &rest = {})
{
    return importing::importYaml("program: train.py\nmethod: random\nrun_cap: 5\nmetric: {name: loss}\n" + rest
                                     + "parameters:\n" + parameters,
                                 "sweep");
}

std::string firstProblem(const importing::ImportedSweep &imported)
{
    return imported.problems.empty() ? std::string() : sweep::describe(imported.problems.front(), "sweep.yaml");
}

}  // namespace

TEST_CASE("sweeps of W&B become the expected sweep files")
{
    checkGoldenFiles("wandb");
}

TEST_CASE("what has no equivalent is refused with its line and the reason")
{
    CHECK(firstProblem(importedText("  lr: {distribution: beta, a: 1, b: 2}\n"))
          == "sweep.yaml:6:8: parameters.lr: a beta distribution has no equivalent: use uniform from 0 to 1");
    CHECK(firstProblem(importedText("  lr: {distribution: q_normal, mu: 0, sigma: 1}\n")).find("q_uniform")
          != std::string::npos);
    CHECK(firstProblem(importedText("  lr: {distribution: q_log_uniform_values, min: 8, max: 64, q: 8}\n"))
              .find("only with q: 1")
          != std::string::npos);
    CHECK(firstProblem(importedText("  lr: {values: [1, null]}\n")).find("null cannot be a value")
          != std::string::npos);
    CHECK(firstProblem(importedText("  lr: 0.1\n")).find("must be a map") != std::string::npos);
    CHECK(firstProblem(importedText("  lr: {min: 1}\n")).find("needs value") != std::string::npos);
    CHECK(firstProblem(importedText("  lr: {min: 2, max: 1}\n")).find("min is above max") != std::string::npos);
    CHECK(firstProblem(importedText("  lr: {distribution: log_uniform, min: 100, max: 1000}\n")).find("exponents of e")
          != std::string::npos);
}

TEST_CASE("all reasons are found at once")
{
    const auto imported = importedText("  a: {distribution: beta}\n  b: {distribution: strange}\n  c: 3\n");
    CHECK(imported.problems.size() == 3);
}

TEST_CASE("macros without an equivalent are refused")
{
    const std::string lr = "  lr: {values: [0.1, 0.2]}\n";
    CHECK(firstProblem(importedText(lr, "command: [python, a.py, \"${args_json_file}\"]\n"))
              .find("SWEEPSCOPE_PARAMS_FILE")
          != std::string::npos);
    CHECK(firstProblem(importedText(lr, "command: [\"${envvar:HOME}/a.py\", \"${args}\"]\n"))
              .find("no environment variables")
          != std::string::npos);
    CHECK(firstProblem(
              importedText("  flag: {values: [true, false]}\n", "command: [a.py, \"${args_no_boolean_flags}\"]\n"))
              .find("--flag=true")
          != std::string::npos);
    CHECK(importedText(lr, "command: [a.py, \"${args_no_boolean_flags}\"]\n").problems.empty());
}

TEST_CASE("custom schedulers and jobs of W&B Launch are refused")
{
    CHECK(firstProblem(importing::importYaml("method: custom\nparameters: {a: {values: [1]}}\n", "s"))
              .find("custom scheduler")
          != std::string::npos);
    CHECK(firstProblem(importedText("  lr: {values: [1]}\n", "job: me/project/job\n")).find("Launch")
          != std::string::npos);
}

TEST_CASE("a grid refuses continuous ranges")
{
    const auto imported =
        importing::importYaml("method: grid\nprogram: a.py\nparameters: {lr: {min: 0.1, max: 0.2}}\n", "s");
    CHECK(firstProblem(imported).find("q_uniform") != std::string::npos);
}

TEST_CASE("rules that only Sweepscope has are reported with its keys")
{
    importing::ImportedSweep imported = importedText("  seed: {values: [0.5, 1.5]}\n");
    CHECK(importing::sweepFileOf(imported).empty());
    REQUIRE(!imported.problems.empty());
    CHECK(imported.problems.front().field == "space.seed");
}

TEST_CASE("other YAML files are refused")
{
    CHECK(!importing::importYaml("a: 1\n", "s").problems.empty());
    CHECK(!importing::importYaml("", "s").problems.empty());
    CHECK(!importing::importYaml("parameters: 3\nmethod: [1]\nmetric: x\nearly_terminate: 3\ncommand: a\nrun_cap: x\n",
                                 "s")
               .problems.empty());
}
