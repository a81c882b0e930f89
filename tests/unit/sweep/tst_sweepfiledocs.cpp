// The sweep files that users start from: those in the documentation and the installed examples.
#include "sweepfiletext.h"

#include "sweep/keytext.h"
#include "sweep/trialplan.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace sweepscope;
using namespace sweepscope::sweep;
using namespace sweepscope::tests;

TEST_CASE("the sweep file in the documentation can be parsed")
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

TEST_CASE("the example sweeps are valid")
{
    int count = 0;
    for (const auto &entry : std::filesystem::directory_iterator(SWEEPSCOPE_SOURCE_DIR "/resources/examples")) {
        if (entry.path().extension() != ".toml")
            continue;
        const auto parsed = readSweepFile(entry.path());
        REQUIRE(parsed.has_value());
        INFO(entry.path().string() << ": " << textOf(*parsed));
        CHECK(parsed->problems.empty());
        ++count;
    }
    CHECK(count >= 3);
    const auto digits = readSweepFile(SWEEPSCOPE_SOURCE_DIR "/resources/examples/digits-mlp.toml");
    CHECK(countTrials(digits->spec).value() == 12);
    CHECK(digits->spec.run.ranks == 2);
}

TEST_CASE("the sweep files in the documentation are valid")
{
    std::ifstream in(SWEEPSCOPE_SOURCE_DIR "/docs/sweep-file.md");
    const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const std::string fence = "```toml\n";
    int count = 0;
    for (std::size_t begin = page.find(fence); begin != std::string::npos; begin = page.find(fence, begin + 1)) {
        const std::string block =
            page.substr(begin + fence.size(), page.find("```\n", begin + 1) - begin - fence.size());
        INFO(block);
        INFO(textOf(parseSweep(block)));
        CHECK(parseSweep(block).problems.empty());
        ++count;
    }
    CHECK(count == 12);
    CHECK(contains(page, "48 trials"));
}

TEST_CASE("the tables in the documentation match the table of keys")
{
    std::ifstream in(SWEEPSCOPE_SOURCE_DIR "/docs/sweep-file.md");
    const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::size_t rows = 0;
    for (const Key &key : keys()) {
        // If the check fails, paste this row into the table of its section.
        const std::string row = referenceRow(key);
        INFO(row);
        const std::string heading = key.isSetting() ? "### The built-in worker" : "# [" + key.section + "]";
        const std::size_t section = page.find(heading);
        REQUIRE(section != std::string::npos);
        const std::size_t begin = page.find("\n" + row + "\n", section);
        CHECK(begin < page.find("\n#", section + 1));
        ++rows;
    }
    std::size_t written = 0;
    for (std::size_t at = page.find("\n| `"); at != std::string::npos; at = page.find("\n| `", at + 1))
        ++written;
    CHECK(written == rows);
}
