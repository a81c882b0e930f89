#include "sweep/definitionchanges.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope::sweep;

namespace {

SweepSpec specOf(const std::string &toml)
{
    ParsedSweep parsed = parseSweep(toml);
    REQUIRE(parsed.problems.empty());
    return std::move(parsed.spec);
}

const std::string sweep = "[sweep]\nname = \"a\"\nobjective = \"loss\"\n[space]\nlr = [0.1, 0.2]\n"
                          "[run]\ncommand = [\"train\", \"{lr}\"]\n";

}  // namespace

TEST_CASE("what another definition says differently is told key by key")
{
    const SweepSpec before = specOf(sweep + "timeout = \"10m\"\n[devices]\nconcurrent = 2\n");
    CHECK(changesBetween(before, before).empty());
    CHECK(changesInWords(before, before).empty());
    const SweepSpec after = specOf("[sweep]\nname = \"a\"\nobjective = \"loss\"\n[space]\nlr = [0.1, 0.2, 0.3]\n"
                                   "wd = [0, 1]\n[run]\ncommand = [\"train\", \"{lr}\", \"{wd}\"]\n"
                                   "[devices]\nconcurrent = 1\n");
    const std::vector<std::string> changes = changesBetween(before, after);
    CHECK(changes
          == std::vector<std::string>{"space.lr from [0.1, 0.2] to [0.1, 0.2, 0.3]", "space.wd is [0, 1]",
                                      R"(run.command from ["train", "{lr}"] to ["train", "{lr}", "{wd}"])",
                                      "devices.concurrent from 2 to 1", "run.timeout is not said"});
    CHECK(changesInWords(before, after, 1) == changes[0] + "; and 4 more");
    CHECK(changesInWords(before, after)
          == changes[0] + "; " + changes[1] + "; " + changes[2] + "; " + changes[3] + "; " + changes[4]);
}

TEST_CASE("comments and blanks are no change, and long values are cut between characters")
{
    CHECK(changesBetween(specOf(sweep), specOf("# mine\n" + sweep + "\n\n")).empty());
    std::string name;
    for (int i = 0; i < 60; ++i)
        name += "\u00e4";
    std::string other = sweep;
    other.replace(other.find("\"train\""), 7, "\"" + name + "\"");
    const std::string words = changesInWords(specOf(sweep), specOf(other));
    CHECK(words.substr(0, 12) == "run.command ");
    CHECK(words.substr(words.size() - 6) == "\u00e4 ...");
}
