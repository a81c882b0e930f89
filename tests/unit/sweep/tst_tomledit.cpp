#include "sweep/splitmix.h"
#include "sweep/sweepfile.h"
#include "sweep/tomledit.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

using namespace sweepscope::sweep;

namespace {

std::string edited(const std::string &text, const std::optional<std::string> &value)
{
    return withTomlKey(text, "devices", "exclude", value).value_or("cannot be done");
}

/// A [devices] section as a user might write it, in one of many forms.
class WrittenDevices {
public:
    explicit WrittenDevices(std::uint64_t seed) : m_random(seed) {}

    std::string text()
    {
        std::string text = pick({"", "# Größe: 4 µm 🙂\n", "\n\n# of anna\n"});
        text += "[sweep]\nname = \"d\" # ä\nobjective = \"loss\"\n";
        const bool isDotted = m_random.nextBelow(6) == 0;
        const bool isInline = !isDotted && m_random.nextBelow(6) == 0;
        const std::string before = pick({"kind = \"gpu\"", "concurrent = 2", "per_rank = 1"});
        const std::string behind = pick({"", "foreign = \"share\"", "memory = \"20GiB\""});
        const std::string list = m_random.nextBelow(4) == 0 ? "" : "exclude = " + value(isInline);
        if (isInline)
            return "devices = { " + before + (list.empty() ? "" : ", " + list) + " }" + comment() + text;
        if (isDotted)
            return "devices." + before + comment() + (list.empty() ? "" : "devices." + list + comment()) + text;
        std::string devices =
            pick({"[devices]", "  [ devices ]", "[devices] # of this machine", "[\"devices\"]"}) + "\n";
        for (const std::string &line : {before, list, behind})
            devices += line.empty() ? pick({"", "\n", "# nothing\n"}) : pick({"", "  ", "\t"}) + line + comment();
        std::string rest = "[space]\nlr = [0.1, 0.2]" + pick({"", "\n", "\n# the end"});
        text += m_random.nextBelow(2) == 0 ? devices + rest : rest + "\n" + devices;
        return m_random.nextBelow(4) == 0 ? withReturns(text) : text;
    }

private:
    std::string pick(const std::vector<std::string> &choices) { return choices[m_random.nextBelow(choices.size())]; }
    std::string comment() { return pick({"\n", "  # is it \"broken\"? [1] = 'x'\n", " \n", "#é\n"}); }
    std::string value(bool isInline)
    {
        if (isInline)
            return pick({"[]", "[\"GPU-ä\"]", "['a', \"b\"]"});
        return pick({"[]", "[\"GPU-ä#1\"]", "['a', \"b\"]", "[\n  \"a\", # one\n  \"b\",\n  # no more\n]",
                     "[ \"]\",\n\"\"\"x\ny\"\"\" ]", "\"GPU-1\"", "7"});
    }
    static std::string withReturns(const std::string &text)
    {
        std::string result;
        for (const char c : text)
            result += c == '\n' ? std::string("\r\n") : std::string(1, c);
        return result;
    }

    SplitMix64 m_random;
};

std::vector<std::string> commentsOf(const std::string &text)
{
    std::vector<std::string> comments;
    for (const std::string word : {"Größe", "of anna", "# ä", "of this machine", "# nothing", "the end"})
        if (text.find(word) != std::string::npos)
            comments.push_back(word);
    return comments;
}

}  // namespace

TEST_CASE("changingAKeyLeavesTheRestUnchanged")
{
    CHECK(edited("# mine\n[devices]\nexclude = [\"a\"]  # broken\nkind = \"gpu\"\n", "[\"b\"]")
          == "# mine\n[devices]\nexclude = [\"b\"]  # broken\nkind = \"gpu\"\n");
    CHECK(edited("[devices]\nexclude = [\n  \"a\",  # one\n]  # all\n[run]\n", "[]")
          == "[devices]\nexclude = []  # all\n[run]\n");
    CHECK(edited("devices = { kind = \"gpu\", exclude = ['ä'] } # x", "[1]")
          == "devices = { kind = \"gpu\", exclude = [1] } # x");
    CHECK(edited("devices.exclude = [1]\n", "[2]") == "devices.exclude = [2]\n");
}

TEST_CASE("keysThatNeedQuotesAreFound")
{
    const std::string text = "[space]\n\"a/b\" = 1  # ratio\nc = 2\n";
    CHECK(withTomlKey(text, "space", "\"a/b\"", "3") == "[space]\n\"a/b\" = 3  # ratio\nc = 2\n");
    CHECK(withTomlKey(text, "space", "\"a/b\"", {}) == "[space]\n# ratio\nc = 2\n");
    CHECK(withTomlKey(text, "space", "\"d e\"", "[4]") == text + "\"d e\" = [4]\n");
}

TEST_CASE("newKeyIsAddedAfterTheOthers")
{
    CHECK(edited("[devices]\nkind = \"gpu\"  # H200\n\n# runs\n[run]\nranks = 1\n", "[1]")
          == "[devices]\nkind = \"gpu\"  # H200\nexclude = [1]\n\n# runs\n[run]\nranks = 1\n");
    CHECK(edited("[devices] # none yet\r\n[run]\r\n", "[1]") == "[devices] # none yet\r\nexclude = [1]\r\n[run]\r\n");
    CHECK(edited("devices = { kind = \"gpu\" }\n", "[1]") == "devices = { kind = \"gpu\", exclude = [1] }\n");
    CHECK(edited("devices.kind = \"gpu\" # H200\n[run]\n", "[1]")
          == "devices.kind = \"gpu\" # H200\ndevices.exclude = [1]\n[run]\n");
    CHECK(edited("[run]\nranks = 1", "[1]") == "[run]\nranks = 1\n\n[devices]\nexclude = [1]\n");
}

TEST_CASE("removedKeyLeavesItsComment")
{
    CHECK(edited("[devices]\nexclude = [1]\nkind = \"gpu\"\n", std::nullopt) == "[devices]\nkind = \"gpu\"\n");
    CHECK(edited("[devices]\n  exclude = [1] # broken\n", std::nullopt) == "[devices]\n  # broken\n");
    CHECK(edited("[devices]\nexclude = [1]", std::nullopt) == "[devices]\n");
    CHECK(edited("[run]\n", std::nullopt) == "[run]\n");
}

TEST_CASE("impossibleEditsAreRefused")
{
    CHECK_FALSE(withTomlKey("not TOML", "devices", "exclude", "[1]"));
    CHECK_FALSE(withTomlKey("[devices]\n", "devices", "exclude", "[1"));
    CHECK_FALSE(withTomlKey("devices = 3\n", "devices", "exclude", "[1]"));
    CHECK_FALSE(withTomlKey("devices = { exclude = [1] }\n", "devices", "exclude", std::nullopt));
    CHECK_FALSE(withTomlKey("devices = {}\n", "devices", "exclude", "[1]"));
}

/// Checks the value by reading it back, and the rest by comparing the whole file, as withTomlKey() does.
TEST_CASE("anyFormOfASectionCanBeEdited")
{
    int done = 0;
    constexpr int texts = 3000;
    for (int i = 0; i < texts; ++i) {
        const std::string text = WrittenDevices(static_cast<std::uint64_t>(i)).text();
        CAPTURE(text);
        const auto set = withTomlKey(text, "devices", "exclude", "[\"GPU-new\"]");
        REQUIRE(set);
        CHECK(commentsOf(*set) == commentsOf(text));
        SweepSpec expected = parseSweep(text).spec;
        expected.devices.exclude = {"GPU-new"};
        CHECK(parseSweep(*set).spec == expected);
        CHECK(withTomlKey(*set, "devices", "exclude", "[\"GPU-new\"]") == set);
        if (const auto without = withTomlKey(text, "devices", "exclude", std::nullopt)) {
            ++done;
            CHECK(commentsOf(*without) == commentsOf(text));
            expected.devices.exclude.clear();
            CHECK(parseSweep(*without).spec == expected);
        }
    }
    CHECK(done > texts * 3 / 4);
}

TEST_CASE("text that nests too deep is not changed")
{
    std::string key = "a";
    for (int i = 0; i < 40'000; ++i)
        key += ".a";
    CHECK_FALSE(withTomlKey("[" + key + "]\n", "run", "ranks", "2").has_value());
}
