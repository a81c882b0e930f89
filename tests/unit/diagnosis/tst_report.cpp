#include "syntheticrun.h"

#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>

using namespace sweepscope::diagnosis;

TEST_CASE("every rule has a result, a source and a hint, also without any evidence")
{
    const Report report = SyntheticRun(2).report();
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

TEST_CASE("the worst finding comes first")
{
    SyntheticRun run(2);
    run.train(1000, [](int rank, int) { return rank == 1 ? 0.03 : 0.02; });
    run.add(0, "loss", 1, 1, 1.0 / 0.0);
    const Report report = run.report();
    REQUIRE(report.findings.size() == 2);
    CHECK(report.findings[0].rule == "not-finite");
    CHECK(report.findings[1].rule == "straggler");
}

TEST_CASE("the page on diagnosis has every rule")
{
    std::ifstream file(SWEEPSCOPE_SOURCE_DIR "/docs/diagnosis.md");
    std::stringstream page;
    page << file.rdbuf();
    for (const Rule &rule : rules())
        CHECK_MESSAGE(page.str().find("`" + std::string(rule.name) + "`") != std::string::npos, rule.name);
}
