#include "diagnosis/words.h"
#include "syntheticrun.h"

#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <sstream>

using namespace sweepscope::diagnosis;

TEST_CASE("every rule has a result, a source and a hint, even without any evidence")
{
    SyntheticRun run(2);
    run.addGpus(0, {});
    const Report report = run.report();
    REQUIRE(report.results.size() == rules().size());
    CHECK(report.findings.empty());
    std::set<std::string> names;
    for (const Rule &rule : rules()) {
        CHECK(names.insert(rule.name).second);
        CHECK(std::string(rule.thresholdSource) != "");
        CHECK(std::string(rule.hint) != "");
    }
    for (const RuleResult &result : report.results) {
        CHECK(result.verdict == Verdict::NotEnoughData);
        CHECK_MESSAGE(!result.missing.empty(), result.rule);
    }
    CHECK(diagnose(AttemptEvidence()).findings.empty());
}

TEST_CASE("rules that cannot apply to a trial do not ask for data")
{
    const auto reasonOf = [](const Report &report, const std::string &rule) {
        const RuleResult result = resultOf(report, rule);
        return result.verdict == Verdict::NotApplicable ? result.missing : "applies: " + result.missing;
    };
    SyntheticRun run(1);
    for (const char *rule : {"straggler", "diverged-replicas", "same-samples"})
        CHECK(reasonOf(run.report(), rule) == "the trial has one rank");
    for (const char *rule : {"thermal-throttle", "power-brake", "clock-mismatch", "low-utilization", "hollow-gpu",
                             "memory-limit", "pcie-link", "foreign-process"})
        CHECK(reasonOf(run.report(), rule) == "the trial uses no GPU");
    run.addGpus(0, {});
    CHECK(reasonOf(run.report(), "clock-mismatch") == "the trial uses one GPU");
    CHECK(resultOf(run.report(), "pcie-link").verdict == Verdict::NotEnoughData);
}

TEST_CASE("numbers are short, and large ones have no exponent")
{
    CHECK(number(0.123456) == "0.123");
    CHECK(number(999.4) == "999");
    CHECK(number(999.6) == "1000");
    CHECK(number(1200) == "1200");
    CHECK(number(-45678.9) == "-45679");
    CHECK(number(1.5e9) == "1.5e+09");
}

TEST_CASE("the worst finding comes first")
{
    SyntheticRun run(2);
    run.train(1000, [](int rank, int) { return rank == 1 ? 0.03 : 0.02; });
    run.add(0, "loss", 1, 1, std::numeric_limits<double>::infinity());
    const Report report = run.report();
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].rule == "not-finite");
    CHECK(report.findings[1].rule == "straggler");
}

TEST_CASE("extreme values are handled")
{
    const double infinity = std::numeric_limits<double>::infinity();
    const double values[] = {0, -1, 1e300, -1e300, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()};
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t steps[] = {lowest, -5, 0, 7, highest};
    const char *names[] = {"loss",      "grad_norm",   "step_time",    "data_wait",      "compute_time",
                           "comm_wait", "total_steps", "weights_hash", "gradients_hash", "sample_order"};
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        std::deque<sweepscope::series::Series> curves;
        AttemptEvidence evidence;
        evidence.ranks.resize(1 + random() % 3);
        for (RankEvidence &rank : evidence.ranks) {
            for (const char *name : names) {
                curves.emplace_back(name, "");
                for (auto i = static_cast<std::int64_t>(random() % 60); i > 0; --i) {
                    const std::int64_t step = random() % 2 != 0 ? i : steps[random() % 5];
                    curves.back().append({step, steps[random() % 5], values[random() % 7]});
                }
                rank.curves.push_back(&curves.back());
            }
        }
        evidence.gpus.resize(2);
        for (GpuEvidence &gpu : evidence.gpus) {
            for (int i = 0; i < 40; ++i) {
                const auto any = [&] { return values[random() % 7]; };
                gpu.rows.push_back({steps[random() % 5], 99.0, any(), any(), any(), any(), any(), any(), any(), any(),
                                    any(), any(), any(), any()});
            }
        }
        if (random() % 2 != 0)
            evidence.now = steps[random() % 5];
        CHECK(diagnose(evidence).results.size() == rules().size());
    }
}

TEST_CASE("the page on diagnosis documents every rule")
{
    std::ifstream file(SWEEPSCOPE_SOURCE_DIR "/docs/diagnosis.md");
    std::stringstream page;
    page << file.rdbuf();
    for (const Rule &rule : rules())
        CHECK_MESSAGE(page.str().find("`" + std::string(rule.name) + "`") != std::string::npos, rule.name);
}
