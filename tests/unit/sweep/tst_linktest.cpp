#include "sweep/linktest.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::sweep;

namespace {

constexpr std::uint64_t bytes = std::uint64_t{64} << 20U;

/// `count` GPUs, every pair of which has the same bandwidth, in GB/s.
LinkTest connected(int count, const std::string &link, std::optional<double> promised, double measured)
{
    LinkTest test;
    test.backend = "nccl";
    for (int i = 0; i < count; ++i)
        test.gpus.push_back({"GPU-" + std::to_string(i), "GPU " + std::to_string(i)});
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b)
            test.pairs.push_back({a, b, link, promised, bytes / (measured * 1e9)});
    }
    test.allReduceSeconds = 0.001;
    return test;
}

LinkTest::Pair &pairOf(LinkTest &test, int a, int b)
{
    for (LinkTest::Pair &pair : test.pairs) {
        if (pair.a == a && pair.b == b)
            return pair;
    }
    FAIL("no such pair");
    return test.pairs.front();
}

std::vector<std::string> sentences(const LinkTest &test)
{
    std::vector<std::string> all;
    for (const LinkVerdict &verdict : judgeLinks(test))
        all.push_back(verdict.sentence);
    return all;
}

}  // namespace

TEST_CASE("busBandwidthIsThatOfNcclTests")
{
    // PERFORMANCE.md: algbw * 2 (n - 1) / n
    CHECK(busBandwidth(1'000'000'000, 0.01, 2) == doctest::Approx(100e9));
    CHECK(busBandwidth(1'000'000'000, 0.01, 8) == doctest::Approx(175e9));
}

TEST_CASE("simulatedLinksAreJudgedByTheirPromise")
{
    struct Row {
        const char *link;
        double promised;  // GB/s
        double measured;
        bool isSlow;
    };
    for (const Row &row : {
             Row{"NVLink (18 links)", 450, 120, false},  // H100: NCCL with 64 MiB
             Row{"NVLink (18 links)", 450, 20, true},    // over PCIe instead
             Row{"NVLink (12 links)", 300, 110, false},  // A100
             Row{"NVLink (12 links)", 300, 3, true},
             Row{"NVLink (4 links)", 100, 48, false},  // V100
             Row{"PCIe 4 x16 (PIX)", 31.5, 20, false},
             Row{"PCIe 4 x16 (SYS)", 31.5, 9, false},
             Row{"PCIe 4 x16 (PHB)", 31.5, 2, true},
             Row{"PCIe 3 x4 (PHB)", 3.9, 2, false},
         }) {
        CAPTURE(row.link);
        CAPTURE(row.measured);
        CHECK(judgeLinks(connected(2, row.link, row.promised * 1e9, row.measured)).size() == (row.isSlow ? 1 : 0));
    }
}

TEST_CASE("slowPairIsNamedWithWhatItPromises")
{
    LinkTest test = connected(8, "NVLink (18 links)", 450e9, 200);
    CHECK(judgeLinks(test).empty());
    pairOf(test, 2, 5).seconds = bytes / 3e9;
    REQUIRE(judgeLinks(test).size() == 1);
    const LinkVerdict verdict = judgeLinks(test).front();
    CHECK(verdict.fault == LinkFault::Slow);
    CHECK(verdict.ranks == std::vector<int>{2, 5});
    CHECK(verdict.measured == doctest::Approx(3e9));
    CHECK(verdict.sentence
          == "the link between GPU 2 and GPU 5 is slow: 3 GB/s, and NVLink (18 links) promises 450 GB/s");
    CHECK(verdict.hint.find("devices.exclude") != std::string::npos);
}

TEST_CASE("pairThatIsMuchSlowerThanItsEqualsIsSlow")
{
    LinkTest test = connected(4, "NVLink (18 links)", 450e9, 400);
    pairOf(test, 0, 3).seconds = bytes / 150e9;
    CHECK(sentences(test)
          == std::vector<std::string>{
              "the link between GPU 0 and GPU 3 is slow: 150 GB/s, and the median of links of its "
              "kind (NVLink (18 links)) is 400 GB/s"});
    // Nothing is promised, and other links say nothing of this one.
    LinkTest unknown = connected(2, "PCIe", std::nullopt, 0.1);
    CHECK(judgeLinks(unknown).empty());
    LinkTest mixed = connected(3, "NVLink (18 links)", 450e9, 400);
    pairOf(mixed, 0, 2) = {0, 2, "PCIe 5 x16 (SYS)", 63e9, bytes / 20e9};
    CHECK(judgeLinks(mixed).empty());
}

TEST_CASE("slowestPairIsFirst")
{
    LinkTest test = connected(4, "NVLink (18 links)", 450e9, 400);
    pairOf(test, 0, 1).seconds = bytes / 20e9;
    pairOf(test, 2, 3).seconds = bytes / 5e9;
    const auto verdicts = judgeLinks(test);
    REQUIRE(verdicts.size() == 2);
    CHECK(verdicts[0].ranks == std::vector<int>{2, 3});
    CHECK(verdicts[1].ranks == std::vector<int>{0, 1});
}

TEST_CASE("brokenPairIsNamed")
{
    LinkTest test = connected(4, "NVLink (18 links)", 450e9, 400);
    test.broken = {2, 3};
    test.reason = "no answer within 30 s";
    pairOf(test, 2, 3).seconds.reset();
    CHECK_FALSE(test.isMeasured());
    const auto verdicts = judgeLinks(test);
    REQUIRE(verdicts.size() == 1);
    CHECK(verdicts[0].fault == LinkFault::Broken);
    CHECK(verdicts[0].sentence == "the link between GPU 2 and GPU 3 is broken: no answer within 30 s");
    CHECK(verdicts[0].hint.find("devices.preflight = false") != std::string::npos);
    test.broken = {0, 1, 2, 3};
    CHECK(sentences(test).front()
          == "the links between GPU 0, GPU 1, GPU 2 and GPU 3 are broken: no answer within 30 s");
}

TEST_CASE("linkTestSurvivesItsJson")
{
    LinkTest test = connected(3, "NVLink (18 links)", 450e9, 400);
    test.pairs[1].bandwidth.reset();
    test.pairs[2].seconds.reset();
    test.broken = {1, 2};
    test.reason = "no answer";
    test.simulated = true;
    const Expected<LinkTest> read = parseLinkTest(toJson(test));
    REQUIRE(read);
    CHECK(*read == test);
}

TEST_CASE("mistakesInLinkTestsAreNamed")
{
    const std::string good = toJson(connected(2, "PCIe", std::nullopt, 10));
    const auto refused = [&](const std::string &before, const std::string &after) {
        std::string text = good;
        const std::size_t place = text.find(before);
        REQUIRE(place != std::string::npos);
        const Expected<LinkTest> read = parseLinkTest(text.replace(place, before.size(), after));
        return read ? "accepted" : read.error().message;
    };
    CHECK(!parseLinkTest("{"));
    CHECK(!parseLinkTest("{}"));
    CHECK(refused("\"b\": 1", "\"b\": 2") == "the link test has no valid pairs");
    CHECK(refused("\"b\": 1", "\"b\": -1") == "the link test has no valid pairs");
    CHECK(refused("\"broken\": []", "\"broken\": [7]") == "the link test has no valid broken");
    CHECK(refused("\"all_reduce_seconds\": 0.001", "\"all_reduce_seconds\": 0")
          == "the link test has no valid all_reduce_seconds");
    CHECK(refused("\"bytes\": 67108864", "\"bytes\": \"x\"").starts_with("the link test cannot be read"));
}
