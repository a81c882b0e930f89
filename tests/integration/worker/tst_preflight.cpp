#include "workerrun.h"

#include "base/files.h"
#include "sweep/linktest.h"

#include <cstdlib>
#include <doctest/doctest.h>

using namespace sweepscope;
using sweep::LinkTest;

namespace {

class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "sweepscope-preflight-XXXXXX").string();
        m_path = ::mkdtemp(name.data());
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;

    const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// Real ranks exchange data over Gloo, and simulated links delay them.
struct Preflight {
    TemporaryFolder folder;
    std::vector<RankResult> results;

    /// `limit`: seconds for each pair. A loaded machine needs many.
    Preflight(int ranks, const std::string &links, int limit = 60)
    {
        LinkTest test;
        test.bytes = 1 << 20;
        test.simulated = true;
        for (int rank = 0; rank < ranks; ++rank)
            test.gpus.push_back({"GPU-" + std::to_string(rank), "simulated GPU " + std::to_string(rank)});
        for (int a = 0; a < ranks; ++a) {
            for (int b = a + 1; b < ranks; ++b)
                test.pairs.push_back({a, b, "NVLink (12 links)", 300e9});
        }
        // Loopback is slower than any NVLink: only a promise far below it makes pairs differ.
        for (LinkTest::Pair &pair : test.pairs)
            pair.bandwidth = 50e6;
        REQUIRE(writeFileAtomically(file(), sweep::toJson(test)));
        const std::vector<std::string> arguments{"preflight",     "--file",  file().string(),       "--keep",
                                                 kept().string(), "--limit", std::to_string(limit), "--",
                                                 "echo",          "started"};
        WorkerRun run(arguments, {.ranks = ranks, .environment = {{"SWEEPSCOPE_PREFLIGHT_LINKS", links}}});
        results = run.wait(std::chrono::seconds(300));
    }

    std::filesystem::path file() const { return folder.path() / "preflight.json"; }
    std::filesystem::path kept() const { return folder.path() / "kept.json"; }
    LinkTest result(const std::filesystem::path &path) const
    {
        const Expected<LinkTest> test =
            readFile(path, 1 << 20).and_then([](const std::string &text) { return sweep::parseLinkTest(text); });
        if (!test)
            FAIL(test.error().message);
        return *test;
    }
};

bool contains(const std::string &text, const std::string &part)
{
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("goodLinksAreMeasuredAndTheCommandRunsOnEachRank")
{
    const Preflight preflight(3, "none");
    for (const RankResult &rank : preflight.results) {
        INFO(rank.log);
        CHECK(rank.exitCode == 0);
        CHECK(rank.lastLine() == "started");
    }
    const LinkTest test = preflight.result(preflight.file());
    CHECK(test.isMeasured());
    CHECK(test.backend == "gloo");
    CHECK(test.allReduceSeconds.has_value());
    for (const LinkTest::Pair &pair : test.pairs)
        CHECK(pair.seconds.has_value());
    CHECK(preflight.result(preflight.kept()) == test);
}

TEST_CASE("slowPairIsNamedAndTheCommandRuns")
{
    const Preflight preflight(3, "1-2=200ms");  // 1 MiB in a fifth of a second
    CHECK(preflight.results[2].lastLine() == "started");
    CHECK(contains(preflight.results[0].log,
                   "warning: preflight: the link between simulated GPU 1 and simulated GPU 2 is slow: 0.00"));
    const auto verdicts = judgeLinks(preflight.result(preflight.kept()));
    REQUIRE(!verdicts.empty());
    CHECK(verdicts.front().ranks == std::vector<int>{1, 2});
}

TEST_CASE("hangingPairIsNamedAndNoCommandRuns")
{
    const Preflight preflight(3, "0-2=hang", 20);
    for (const RankResult &rank : preflight.results) {
        INFO(rank.log);
        CHECK(rank.exitCode == 1);
        CHECK(!contains(rank.log, "started"));
    }
    CHECK(contains(
        preflight.results[0].lastLine(),
        "error: preflight: the link between simulated GPU 0 and simulated GPU 2 is broken: no answer within 20 s"));
    CHECK(preflight.result(preflight.file()).broken == std::vector<int>{0, 2});
    CHECK(!std::filesystem::exists(preflight.kept()));
}

TEST_CASE("pairThatBringsWrongValuesIsBroken")
{
    const Preflight preflight(3, "1-2=wrong");
    CHECK(contains(preflight.results[0].lastLine(),
                   "simulated GPU 1 and simulated GPU 2 is broken: the sums that arrive are wrong"));
    CHECK(preflight.results[1].exitCode == 1);
}

TEST_CASE("commandRunsWhereLinksCannotBeTested")
{
    // Ranks of another number than the test was written for.
    TemporaryFolder folder;
    WorkerRun run({"preflight", "--file", (folder.path() / "missing.json").string(), "--", "sh", "-c",
                   "echo rank $RANK of $WORLD_SIZE"},
                  {.ranks = 2});
    const auto results = run.wait();
    CHECK(contains(results[1].log, "preflight: the links between GPUs are not tested"));
    CHECK(results[1].lastLine() == "rank 1 of 2");
    WorkerRun wrong({"preflight", "--file", "x"}, {.ranks = 1});
    CHECK(wrong.wait()[0].exitCode == 2);
}
