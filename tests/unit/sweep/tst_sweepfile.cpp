#include "sweep/sweepfile.h"

#include "sweep/trialplan.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <fstream>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

const std::string head = "[sweep]\nname = \"t\"\nobjective = \"val_loss\"\n";

/// The problems as "line:column field: message", to read in a failed check.
std::string textOf(const ParsedSweep &parsed)
{
    std::string text;
    for (const Problem &problem : parsed.problems)
        text += describe(problem, "f.toml") + "\n";
    return text;
}

/// The only problem of a file.
Problem onlyProblem(const std::string &toml)
{
    const ParsedSweep parsed = parseSweep(toml);
    INFO(toml);
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.size() == 1);
    return parsed.problems.front();
}

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the sweep file of the documentation is read")
{
    const std::string file = R"([sweep]
name = "digits-mlp"
objective = "val_loss"
goal = "minimize"

[search]
method = "grid"                    # random
seed = 7

[space]
lr         = { log = [1e-4, 1e-1], points = 4 }
batch_size = [32, 64, 128]
optimizer  = ["sgd", "adam"]
momentum   = { float = [0.0, 0.99], points = 3, when = "optimizer == 'sgd'" }

[constraints]
fits = "batch_size * ranks <= 256"

[run]
worker  = "builtin"                # or: command = ["python3", "train.py", "--lr", "{lr}"]
dataset = "digits"
model   = "mlp"
epochs  = 5
ranks   = 2
backend = "auto"                   # gloo | nccl | auto
timeout = "10m"
retries = 1

[devices]
kind = "auto"                      # gpu | cpu | auto
per_rank = 1
concurrent = 2
)";
    const ParsedSweep parsed = parseSweep(file);
    INFO(textOf(parsed));
    REQUIRE(parsed.problems.empty());

    const SweepSpec &spec = parsed.spec;
    CHECK(spec.name == "digits-mlp");
    CHECK(spec.seed == 7);
    REQUIRE(spec.space.size() == 4);
    CHECK(spec.space[0].name == "lr");
    CHECK(spec.space[0].kind == DimensionKind::Log);
    CHECK(spec.space[0].points == 4);
    CHECK(spec.space[1].name == "batch_size");
    CHECK(spec.space[2].kind == DimensionKind::Choice);
    CHECK(spec.space[3].when == "optimizer == 'sgd'");
    CHECK(spec.run.ranks == 2);
    CHECK(spec.run.timeout == std::chrono::minutes(10));
    CHECK(spec.run.settings.at("epochs") == ParameterValue(std::int64_t{5}));
    CHECK(spec.devices.concurrent == 2);
    CHECK(countTrials(spec).value() == 4 * 3 * (3 + 1));
}
