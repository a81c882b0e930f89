#include "sweep/definitionchanges.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

using facts::Fact;
using facts::Field;

SweepSpec specOf(const std::string &toml)
{
    ParsedSweep parsed = parseSweep(toml);
    REQUIRE(parsed.problems.empty());
    return std::move(parsed.spec);
}

const std::string file = "[sweep]\nname = \"a\"\nobjective = \"loss\"\n[space]\nlr = [0.1, 0.2]\n"
                         "[run]\ncommand = [\"train\", \"{lr}\"]\n";

}  // namespace

TEST_CASE("differences between definitions are listed by key")
{
    const SweepSpec before = specOf(file + "timeout = \"10m\"\n[devices]\nconcurrent = 2\n");
    CHECK(changesBetween(before, before).empty());
    const SweepSpec after = specOf("[sweep]\nname = \"a\"\nobjective = \"loss\"\n[space]\nlr = [0.1, 0.2, 0.3]\n"
                                   "wd = [0, 1]\n[run]\ncommand = [\"train\", \"{lr}\", \"{wd}\"]\n"
                                   "[devices]\nconcurrent = 1\n");
    const auto changed = [](const char *key, const char *from, const char *to) {
        Fact fact = Fact(facts::Code::KeyChanged).with(Field::Key, key);
        if (*from != '\0')
            fact = std::move(fact).with(Field::Before, from);
        return *to != '\0' ? std::move(fact).with(Field::After, to) : fact;
    };
    CHECK(changesBetween(before, after)
          == facts::Facts{changed("space.lr", "[0.1, 0.2]", "[0.1, 0.2, 0.3]"), changed("space.wd", "", "[0, 1]"),
                          changed("run.command", R"(["train", "{lr}"])", R"(["train", "{lr}", "{wd}"])"),
                          changed("devices.concurrent", "2", "1"), changed("run.timeout", "\"10m\"", "")});
}

TEST_CASE("comments and whitespace are not differences, and long values are cut between characters")
{
    CHECK(changesBetween(specOf(file), specOf("# mine\n" + file + "\n\n")).empty());
    std::string name;
    for (int i = 0; i < 60; ++i)
        name += "\u00e4";
    std::string other = file;
    other.replace(other.find("\"train\""), 7, "\"" + name + "\"");
    const facts::Facts changes = changesBetween(specOf(file), specOf(other));
    REQUIRE(changes.size() == 1);
    const std::string after = changes[0].text(Field::After);
    CHECK(after.substr(after.size() - 6) == "\u00e4 ...");
}
