#include "sweep/sweepfile.h"
#include "sweep/sweepfileedit.h"

#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace sweepscope::sweep;

namespace {

const std::string text = R"(# Anna's digits, see the wiki
[sweep]
name = "digits"      # as on the poster
objective = "loss"

[space]
# what matters
lr = { log = [1e-4, 1e-1], points = 4 }  # not more
batch_size = [32, 64]

[run]
# the script lies beside this file
command = ["python3", "train.py", "--lr={lr}", "--batch={batch_size}"]

[run.environment]
OMP_NUM_THREADS = "1"  # or it crawls

[devices]
kind = "cpu"
)";

SweepSpec digits()
{
    const ParsedSweep parsed = parseSweep(text);
    REQUIRE(parsed.problems.empty());
    return parsed.spec;
}

std::string replaced(std::string where, const std::string &what, const std::string &with)
{
    const std::size_t at = where.find(what);
    REQUIRE(at != std::string::npos);
    return where.replace(at, what.size(), with);
}

using Edit = std::function<void(SweepSpec &)>;

const std::vector<Edit> edits{
    [](SweepSpec &spec) { spec.name = "digits # 2"; },
    [](SweepSpec &spec) { spec.goal = Goal::Maximize; },
    [](SweepSpec &spec) { spec.space[0].points = 9; },
    [](SweepSpec &spec) {
        spec.space[1].values = {std::int64_t{8}, std::int64_t{16}};
    },
    [](SweepSpec &spec) {
        Dimension depth;
        depth.name = "depth";
        depth.values = {std::int64_t{1}, std::int64_t{2}};
        spec.space.push_back(depth);
    },
    [](SweepSpec &spec) {
        spec.constraints.push_back({"fits", "batch_size <= 64"});
    },
    [](SweepSpec &spec) { spec.run.retries = 3; },
    [](SweepSpec &spec) { spec.run.ranks = 2; },
    [](SweepSpec &spec) { spec.run.environment["NCCL_DEBUG"] = "INFO"; },
    [](SweepSpec &spec) { spec.run.environment["OMP_NUM_THREADS"] = "4"; },
    [](SweepSpec &spec) { spec.devices.concurrent = 2; },
    [](SweepSpec &spec) {
        spec.budget = BudgetSection{std::chrono::hours(1), std::nullopt};
    },
};

}  // namespace

TEST_CASE("lines with unchanged meaning keep their text")
{
    SweepSpec edited = digits();
    CHECK(sweepFile(edited, text) == text);
    edited.space[1].values = {std::int64_t{8}};
    edited.run.environment["OMP_NUM_THREADS"] = "2";
    const std::string expected =
        replaced(replaced(text, "[32, 64]", "[8]"), "OMP_NUM_THREADS = \"1\"", "OMP_NUM_THREADS = \"2\"");
    CHECK(sweepFile(edited, text) == expected);
}

TEST_CASE("a line is removed, and a new one is added to its table")
{
    SweepSpec edited = digits();
    edited.space.erase(edited.space.begin() + 1);
    edited.run.command.pop_back();
    edited.devices.concurrent = 3;
    std::string expected = replaced(text, "batch_size = [32, 64]\n", "");
    expected = replaced(expected, ", \"--batch={batch_size}\"", "");
    expected = replaced(expected, "kind = \"cpu\"\n", "kind = \"cpu\"\nconcurrent = 3\n");
    CHECK(sweepFile(edited, text) == expected);
}

TEST_CASE("a new table is added at the end")
{
    SweepSpec edited = digits();
    edited.run.policy.retry["out_of_memory"] = {2, std::nullopt};
    const std::string after = sweepFile(edited, text);
    CHECK(after.starts_with(text));
    CHECK(after.find("[run.retry]") != std::string::npos);
}

TEST_CASE("reordered parameters are rewritten")
{
    SweepSpec edited = digits();
    std::swap(edited.space[0], edited.space[1]);
    CHECK(sweepFile(edited, text) == toToml(edited));
}

TEST_CASE("series that are written directly in run.metrics stay there")
{
    const std::string before =
        text + "\n[run.metrics]\nloss = 'loss=(.*)'  # of training\n\"val/acc\" = 'acc (.*)'  # best\n";
    SweepSpec edited = parseSweep(before).spec;
    CHECK(sweepFile(edited, before) == before);
    edited.run.metrics->series["val/acc"] = "ACC .*";
    const std::string changed = replaced(before, "'acc (.*)'", "\"ACC .*\"");
    CHECK(sweepFile(edited, before) == changed);
    edited.run.metrics->series.erase("val/acc");
    CHECK(sweepFile(edited, changed) == replaced(changed, "\"val/acc\" = \"ACC .*\"  ", ""));
    edited.run.metrics->series["mae"] = "mae (.*)";
    const std::string after = sweepFile(edited, before);
    CHECK((parseSweep(after).spec == edited));
    CHECK_FALSE(losesComments(before, after));
}

TEST_CASE("a text with errors is not passed on")
{
    const std::string wrong = replaced(text, "kind = \"cpu\"", "kind = \"abacus\"");
    const SweepSpec understood = parseSweep(wrong).spec;
    CHECK(sweepFile(understood, wrong) == toToml(understood));
    CHECK(sweepFile(understood, "no [ TOML") == toToml(understood));
    CHECK(sweepFile(understood, "") == toToml(understood));
}

TEST_CASE("any edit is in the text and keeps the comments")
{
    std::mt19937 random(11);
    int inPlace = 0;
    for (int round = 0; round < 300; ++round) {
        std::string now = text;
        SweepSpec edited = digits();
        for (int i = 0; i < 5; ++i) {
            const SweepSpec before = edited;
            edits[random() % edits.size()](edited);
            if (!parseSweep(toToml(edited)).problems.empty()) {  // a duplicate parameter is invalid
                edited = before;
                continue;
            }
            now = sweepFile(edited, now);
            ++inPlace;
            CHECK((parseSweep(now).spec == edited));
            for (const char *comment : {"# Anna's digits, see the wiki", "# as on the poster", "# what matters",
                                        "# not more", "# the script lies beside this file", "# or it crawls"})
                CHECK(now.find(comment) != std::string::npos);
        }
    }
    CHECK(inPlace > 1000);
}

TEST_CASE("comments are lost if the other text does not have all of them")
{
    CHECK(losesComments("a = 1 # one\n", "a = 1\n"));
    CHECK(losesComments("a = 1 # one\nb = 2 # one\n", "a = 1 # one\n"));
    CHECK_FALSE(losesComments("a = 1 # one\r\n", "# two\nb = 2 # one\n"));
    CHECK_FALSE(losesComments("a = \"#1\"\nb = '#'\nc = \"\\\"#\"", "a = 1\n"));  // hashes within strings
}
