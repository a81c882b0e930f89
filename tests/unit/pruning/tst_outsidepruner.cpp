#include "pruning/outsidepruner.h"
#include "pruning/pruner.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

using namespace sweepscope;
using namespace sweepscope::pruning;
using facts::Code;
using facts::Fact;
using facts::Field;

namespace {

const std::atomic<bool> neverCancelled = false;

sweep::SweepSpec specWith(const std::string &prune)
{
    const sweep::ParsedSweep parsed =
        sweep::parseSweep("[sweep]\nname = 'x'\nobjective = 'acc'\ngoal = 'maximize'\n[space]\nn = [1, 2]\n"
                          "[run]\ncommand = ['true']\n[prune]\n"
                          + prune);
    REQUIRE(parsed.problems.empty());
    return parsed.spec;
}

/// The verdict about trial 2, which reported 0.5 at step 4. `answer`: in Python, from the lines that the program was told.
tl::expected<std::optional<Fact>, Fact> verdictOf(const std::string &answer)
{
    std::string folder = std::filesystem::temp_directory_path() / "pruner-XXXXXX";
    REQUIRE(::mkdtemp(folder.data()) != nullptr);
    std::ofstream(std::filesystem::path(folder) / "pruner.py") << "import json, sys\n"
                                                                  "told = []\n"
                                                                  "for line in sys.stdin:\n"
                                                                  "    told.append(json.loads(line))\n"
                                                                  "    if 'prune' in told[-1]:\n"
                                                                  "        "
                                                               << answer << "\n";
    const sweep::SweepSpec spec = specWith("method = 'command'\ncommand = ['python3', 'pruner.py']\n");
    OutsidePruner pruner(spec, {folder, "/nowhere"}, neverCancelled);
    search::Observation done;
    done.number = 1;
    done.outcome = search::Outcome::Complete;
    done.values = {-0.75};
    done.rungs = {{2, -0.25}, {4, std::numeric_limits<double>::quiet_NaN()}};
    pruner.tell(done);
    search::Observation running;
    running.number = 2;
    running.rungs = {{4, -0.5}};
    pruner.tell(running);
    auto verdict = pruner.ask(2, {4, 0.5, 0.5});
    std::filesystem::remove_all(folder);
    return verdict;
}

}  // namespace

TEST_CASE("another program decides from what trials reported at their rungs")
{
    const std::string expected = "[{'number': 1, 'state': 'complete', 'params': {}, 'value': 0.75, 'intermediate': "
                                 "{'2': 0.25, '4': 'nan'}}, {'number': 2, 'state': 'running', 'params': {}, "
                                 "'intermediate': {'4': 0.5}}, {'prune': 2, 'step': 4}]";
    const auto verdict =
        verdictOf("print(json.dumps({'prune': told[1:] == " + expected + ", 'why': told[0]['goal']}), flush=True)");
    REQUIRE(verdict);
    REQUIRE(*verdict);
    CHECK(**verdict
          == Fact(Code::PrunedByCommand)
                 .with(Field::Step, std::int64_t{4})
                 .with(Field::Detail, "maximize")
                 .with(Field::Value, 0.5));
    const auto continues = verdictOf("print('{\"prune\": false}', flush=True)");
    REQUIRE(continues);
    CHECK_FALSE(*continues);
}

TEST_CASE("a pruning program that does not decide gives an error with its words")
{
    const auto failure = [](const std::string &answer) {
        const auto verdict = verdictOf(answer);
        REQUIRE_FALSE(verdict);
        CHECK(verdict.error().code == Code::PrunerFailed);
        return verdict.error().text(Field::Detail);
    };
    CHECK(failure("sys.exit('no licence')") == "it exited with code 1: no licence");
    CHECK(failure("print('yes', flush=True)") == "its answer is not a decision: yes");
    CHECK(failure("print('{\"prune\": 1}', flush=True)") == "its answer is not a decision: {\"prune\": 1}");
}

TEST_CASE("bounds and patience apply before another program is asked")
{
    const auto verdictAbout = [](const std::string &more, double value) {
        const sweep::SweepSpec spec = specWith("method = 'optuna'\n" + more);
        Pruner pruner(*spec.prune, spec.goal, 0);
        for (const std::int64_t step : {1, 2, 3})
            (void)pruner.reached(1, {step, value, value});
        return pruner.verdict(1, 3);
    };
    CHECK(verdictAbout("", 1).asksProgram);
    CHECK(verdictAbout("patience = 1", 1).asksProgram);
    CHECK_FALSE(verdictAbout("patience = 2", 1).asksProgram);
    const Verdict outOfBounds = verdictAbout("below = 0.5", 0.25);
    CHECK_FALSE(outOfBounds.asksProgram);
    CHECK(outOfBounds.reason->code == Code::PrunedByThreshold);
}
