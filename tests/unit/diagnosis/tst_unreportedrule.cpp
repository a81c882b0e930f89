#include "syntheticrun.h"

#include <doctest/doctest.h>

using namespace sweepscope::diagnosis;

namespace {

std::string sentenceIn(const Report &report)
{
    const std::vector<Finding> findings = findingsOf(report, "no-objective");
    return findings.empty() ? std::string() : findings.front().sentence;
}

}  // namespace

TEST_CASE("objective is missed only in completed trials that did not report it")
{
    SyntheticRun run(1);
    CHECK(resultOf(run.report(), "no-objective").verdict == Verdict::NotEnoughData);
    run.evidence().objective = {"val_loss", true};
    CHECK(resultOf(run.report(), "no-objective").verdict == Verdict::Clear);
    run.evidence().objective->isReported = false;
    CHECK(sentenceIn(run.report()) == "no values were reported, and none were found in the output");
    CHECK(findingsOf(run.report(), "no-objective").front().severity == Severity::Problem);
    run.evidence().objective->isNeeded = false;
    CHECK(findingsOf(run.report(), "no-objective").front().severity == Severity::Warning);
}

TEST_CASE("finding names the metrics in the output, or those reported instead")
{
    SyntheticRun run(2);
    run.evidence().objective = {"val_loss", false, {"loss", "lr", "acc", "total_steps"}};
    CHECK(sentenceIn(run.report()) == "no values were reported, but the output contains loss and acc");
    run.add(0, "step_time", 1, 1, 0.1);
    CHECK(sentenceIn(run.report()) == "no values were reported, but the output contains loss and acc");
    run.add(0, "train_loss", 1, 1, 0.5);
    run.add(1, "train_loss", 1, 1, 0.5);
    run.add(1, "f1", 1, 1, 0.5);
    run.add(1, "acc", 1, 1, 0.5);
    CHECK(sentenceIn(run.report()) == "the objective val_loss was not reported; reported: train_loss, f1 and acc");
}
